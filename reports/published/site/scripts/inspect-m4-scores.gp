#: claim: M4
#: finding: M4.models
#: needs: inspect/m4_scores.csv
#: text: models = {{parameter.inspect.with_positions}}
#: title: Similarity of learned positions, position by position: stripes are distance
#: caption: Mean product of two blocks of neighbouring positions, over the mean product of a position with itself; the first positions are
#:   in the upper left corner. What depends on distance alone is striped along the diagonal. Right: independent normal entries. Of more
#:   than three models, the first three.
#: alt: Heat maps of the products of positions, one per model, and of a Gaussian table, where only the diagonal differs from 0. Models:
#:   {{M4.models}}.
#: size: 860x300
#: phone: 340x460

unset key
unset grid
set border 0
unset xtics
unset ytics
set palette defined (-1 '#0b3c6f', -0.5 '#4f9bd0', 0 '#f4f1ea', 0.5 '#e8853d', 1 '#7a2b04')
set palette maxcolors 65
set cbrange [-1:1]
unset colorbox
set style fill solid 1 noborder
shown = words(models) < 3 ? words(models) : 3
of(model, table) = strcol('model') eq model && strcol('table') eq table ? column(0) : NaN
array first[shown + 1]
array side[shown + 1]
do for [i = 1:shown + 1] {
  stats data_m4_scores using (of(word(models, i <= shown ? i : 1), i <= shown ? 'given' : 'gaussian')) nooutput
  first[i] = STATS_min
  side[i] = int(sqrt(STATS_records) + 0.5)
}
panel_left = 26; panel_right = 80; panel_across = 16; panel_bottom = 20
if (phone) { panel_rows = shown > 1 ? 2 : 1; phone_columns = 2; panel_left = 12; panel_right = 12; panel_bottom = 60; panel_down = 26; }
set multiplot
do for [i = 1:shown + 1] {
  eval panel(i, phone ? 2 : shown + 1)
  set xrange [-0.5:side[i] - 0.5] noextend
  set yrange [side[i] - 0.5:-0.5] noextend
  set label 2 (i <= shown ? display_name(word(models, i)) : 'independent entries') at graph 0, graph 1.06 left tc rgb ink noenhanced
  plot data_m4_scores using (column('column')):(column('row')):(column('score')) every ::first[i]::(first[i] + side[i] * side[i] - 1) with image
}
unset label
if (phone) { eval colour_bar(0.08, 0.075, 0.84, 0.022, -1, 1, '0.5') } else { eval colour_bar(0.925, 0.07, 0.014, 0.68, -1, 1, '0.5') }
unset multiplot
