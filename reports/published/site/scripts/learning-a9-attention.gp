#: claim: A9
#: finding: A9.attention_two_before.after
#: needs: learning/a9_attention.csv
#: title: Attention weights of one head, before and after it learned to copy the word two before
#: caption: Mean attention weight over the test sequences, from each query (down) on each key (across), before the first training step
#:   and after the last one. One model with the centred sinusoid added; the head that gives the token two before the most weight in
#:   the end.
#: alt: Two heat maps of 32 by 32 positions. Before training the weights are spread over all keys, after it they lie on one diagonal,
#:   two keys before the query: {{A9.attention_two_before.before|.0%}} of the weight there before training and
#:   {{A9.attention_two_before.after|.0%}} after it.
#: size: 900x470
#: phone: 340x360

unset key
unset colorbox
unset grid
set border 0
stats data_a9_attention using (column('key')) nooutput
last = STATS_max
pairs = (last + 1) ** 2
stats data_a9_attention using (column('weight')) nooutput
most = STATS_max
set xrange [-0.5:last + 0.5] noextend
set yrange [last + 0.5:-0.5] noextend
set xtics 8 scale 0.3
set ytics 8 scale 0.3
set palette defined (0 '#f4f1ea', 0.35 '#4f9bd0', 1 '#0b3c6f')
set style fill solid 1 noborder
set cbrange [0:most]
set size ratio -1
moments = 'before after'
panel_rows = 1; panel_right = 110; panel_across = 40; panel_down = 54; panel_left = 70
if (phone) {
  phone_columns = 2; panel_left = 60; panel_right = 8; panel_across = 30; panel_bottom = 122
}
set multiplot
do for [i = 1:2] {
  eval panel(i, 2)
  set label 2 word(moments, i).' training' at graph 0, graph 1.045 left tc rgb ink
  set xlabel 'key, position'
  if (i == 1) { set ylabel 'query, position' } else { set ylabel '' }
  plot data_a9_attention using (column('key')):(column('query')):(column('weight')) every ::((i - 1) * pairs)::(i * pairs - 1) with image
}
unset label
if (phone) {
  set label 1 'attention weight' at screen 0.57, screen 0.045 center tc rgb ink
  eval colour_bar(0.18, 0.15, 0.78, 0.028, 0, most, '0.2')
} else {
  set label 1 'attention weight' at screen 0.984, screen 0.5 center rotate by 90 tc rgb ink
  eval colour_bar(0.905, 0.16, 0.018, 0.68, 0, most, '0.1')
}
unset multiplot
