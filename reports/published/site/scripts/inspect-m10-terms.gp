#: claim: M10
#: finding: M10.terms
#: needs: inspect/m10_terms.csv
#: text: models = {{parameter.inspect.with_texts}}
#: title: A head that attends by position: its logits, taken apart into four terms
#: caption: Attention logits of one head of the first layer on one text, before softmax, taken apart by what word and position contribute
#:   to the query (down) and to the key (across); first tokens, first model, the head whose logits vary most by position alone. The four
#:   add up to the logit, but for biases and token type.
#: alt: Four heat maps of 48 by 48 tokens: word–word is a pattern of rows and columns, word–position and position–word have columns or
#:   rows of one value, position–position is striped along the diagonal, for it depends mostly on relative distance.
#: size: 860x800
#: phone: 340x500

unset key
unset colorbox
unset grid
set border 0
m = word(models, 1)
stats data_m10_terms using (strcol('model') eq m ? column('query') : NaN) nooutput
pairs = STATS_records
first = STATS_min
last = STATS_max
stats data_m10_terms using (column('word_word')) nooutput
most = abs(STATS_min) > STATS_max ? abs(STATS_min) : STATS_max
stats data_m10_terms using (column('position_position')) nooutput
most = abs(STATS_min) > most ? abs(STATS_min) : most
most = STATS_max > most ? STATS_max : most
set xrange [first - 0.5:last + 0.5] noextend
set yrange [last + 0.5:first - 0.5] noextend
set xtics 16 scale 0.3
set ytics 16 scale 0.3
set palette defined (-1 '#0b3c6f', -0.5 '#4f9bd0', 0 '#f4f1ea', 0.5 '#e8853d', 1 '#7a2b04')
set palette maxcolors (phone ? 33 : 65)
set cbrange [-most:most]
set style fill solid 1 noborder
set size ratio -1
terms = 'word_word word_position position_word position_position'
says = '"word–word" "word–position" "position–word" "position–position"'
panel_rows = 2; panel_right = 110; panel_across = 40; panel_down = 54; panel_left = 70
if (phone) {
  phone_columns = 2; panel_left = 60; panel_right = 8; panel_across = 30; panel_bottom = 122
}
set multiplot
do for [i = 1:4] {
  eval panel(i, 2)
  set label 2 word(says, i) at graph 0, graph 1.045 left tc rgb ink
  if (i > 2) { set xlabel 'key, position' } else { set xlabel '' }
  if (i % 2 == 1) { set ylabel 'query, position' } else { set ylabel '' }
  plot data_m10_terms using (column('key')):(column('query')):(column(word(terms, i))) every ::0::(pairs - 1) with image
}
unset label
if (phone) {
  set label 1 'logit' at screen 0.57, screen 0.035 center tc rgb ink
  eval colour_bar(0.18, 0.115, 0.78, 0.022, -most, most, '10')
} else {
  set label 1 'logit' at screen 0.977, screen 0.49 center rotate by 90 tc rgb ink
  eval colour_bar(0.905, 0.1, 0.018, 0.78, -most, most, '10')
}
unset multiplot
