#: claim: M4
#: finding: M4.models
#: needs: inspect/m4_scores.csv
#: text: models = {{parameter.inspect.with_positions}}
#: text: all = {{parameter.inspect.models}}
#: title: Similarity of learned positions depends mostly, not only, on distance: stripes on the diagonal
#: caption: Mean product of two blocks of neighbouring positions, over the mean product of a position with itself; the first positions are
#:   in the upper left corner. What depends on distance alone is striped along the diagonal. Right: independent normal entries. Of more
#:   than three models, the first three.
#: alt: Heat maps of the products of positions, one per model, and of a Gaussian table, where only the diagonal differs from 0. Models:
#:   {{M4.models}}. {{M4.condition}}.
#: size: 860x360

unset key
unset grid
set border 0
unset xtics
unset ytics
set palette defined (-1 '#0b3c6f', -0.5 '#4f9bd0', 0 '#f4f1ea', 0.5 '#e8853d', 1 '#7a2b04')
set cbrange [-1:1]
set cbtics 0.5 textcolor rgb quiet
set style fill solid 1 noborder
set colorbox user origin screen 0.925, screen 0.08 size screen 0.014, screen 0.68 noborder
stats data_m4_scores using (column('row')) nooutput
set xrange [-0.5:STATS_max + 0.5] noextend
set yrange [STATS_max + 0.5:-0.5] noextend
shown = words(models) < 3 ? words(models) : 3
kind(table, x) = strcol('table') eq table ? x : NaN
wide = 0.88 / (shown + 1)
set multiplot
set tmargin at screen 0.78
set bmargin at screen 0.06
do for [i = 1:shown + 1] {
  model = i <= shown ? word(models, i) : word(models, 1)
  table = i <= shown ? 'given' : 'gaussian'
  set lmargin at screen 0.03 + wide * (i - 1)
  set rmargin at screen 0.03 + wide * (i - 1) + 0.94 * wide
  if (i > 1) { unset colorbox; unset label 1 }
  set label 2 (i <= shown ? model_says(model) : 'independent entries') at graph 0, graph 1.06 left tc rgb ink noenhanced
  plot data_m4_scores using (pick('model', model, kind(table, column('column')))):(column('row')):(0.51):(0.51):(column('score')) \
    with boxxyerror fc palette
}
unset multiplot
