#: claim: M2
#: finding: M2.models
#: needs: inspect/m2_norms.csv
#: text: models_words = {{parameter.inspect.with_words}}
#: text: models_positions = {{parameter.inspect.with_positions}}
#: text: all = {{parameter.inspect.models}}
#: title: How long words are, sorted, and positions, in their order
#: caption: Left: the norm below which a given share of the words lies. Right: the norm of each position (of long tables every few are
#:   drawn). Their ratio decides how much of a sum is position. Of more models the first five.
#: alt: Left: sorted lengths of words. Right: length of each position; the first and last of a table often stand out. Models:
#:   {{M2.models}}.
#: size: 860x400
#: phone: 340x620

unset key
shown(list) = words(list) < 5 ? words(list) : 5
set yrange [0:*]
kind(which, x) = strcol('which') eq which ? x : NaN
panel_across = 64
set multiplot
do for [panel = 1:2] {
  which = panel == 1 ? 'words' : 'positions'
  models = panel == 1 ? models_words : models_positions
  eval panel(panel, 2)
  if (phone) { set ytics 2; set xtics 400; if (panel == 1) { set xtics 0.2 } }
  if (panel == 1) { set ylabel 'norm'; set xlabel 'share of the words' } else { if (!phone) { set ylabel '' }; set xlabel 'position' }
  do for [i = 2:19] { unset label i }
  set label 20 which at graph 0, graph 1.05 left tc rgb ink
  do for [i = 1:shown(models)] { set label 1 + i display_name(word(models, i)) at graph (phone && panel == 1 ? 0.4 : 0.97), graph 0.95 - 0.08 * (i - 1) right tc lt model_style(word(models, i), all) noenhanced }
  if (words(models) > 0) {
    plot for [i = 1:shown(models)] data_m2_norms every (phone ? 2 : 1) using (pick('model', word(models, i), kind(which, column('place')))):(column('norm')) \
      with lines ls model_style(word(models, i), all)
  }
}
unset multiplot
