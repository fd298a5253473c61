#: claim: M2
#: finding: M2.models
#: needs: inspect/m2_norms.csv
#: text: models_words = {{parameter.inspect.with_words}}
#: text: models_positions = {{parameter.inspect.with_positions}}
#: title: Lengths of words, sorted, and of positions, in their order
#: caption: Left: the length below which a given share of the words lies. Right: the length of each position (of long tables
#:   every few are drawn). The ratio of the two is what decides how much of a sum is position.
#: alt: Left: sorted lengths of words. Right: length of each position; the first and last of a table often stand out.
#:   Models: {{M2.models}}. {{M2.condition}}.
#: size: 860x400

unset key
set yrange [0:*]
kind(which, x) = strcol('which') eq which ? x : NaN
set multiplot
set tmargin at screen 0.83
set bmargin at screen 0.17
do for [panel = 1:2] {
  which = panel == 1 ? 'words' : 'positions'
  models = panel == 1 ? models_words : models_positions
  set lmargin at screen (panel == 1 ? 0.105 : 0.575)
  set rmargin at screen (panel == 1 ? 0.495 : 0.97)
  if (panel == 1) { set ylabel 'length'; set xlabel 'share of the words' } else { set ylabel ''; unset label 1; set xlabel 'position' }
  do for [i = 2:19] { unset label i }
  set label 20 which at graph 0, graph 1.05 left tc rgb ink
  do for [i = 1:words(models)] { set label 1 + i word(models, i) at graph 0.97, graph 0.95 - 0.08 * (i - 1) right tc lt ((i - 1) % 8 + 1) noenhanced }
  if (words(models) > 0) {
    plot for [i = 1:words(models)] data_m2_norms using (pick('model', word(models, i), kind(which, column('place')))):(column('norm')) \
      with lines ls ((i - 1) % 8 + 1)
  }
}
unset multiplot
