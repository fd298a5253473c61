#: claim: M2
#: finding: M2.models
#: needs: inspect/m2_spectra.csv
#: text: models_words = {{parameter.inspect.with_words}}
#: text: models_positions = {{parameter.inspect.with_positions}}
#: text: all = {{parameter.inspect.models}}
#: title: Variance of words, and of positions, outside their leading dimensions
#: caption: Centred rows of the given tables and, dotted in the same colour, of Gaussian tables of their shape; dashed: a hundredth, where
#:   a curve crosses it is r₉₉. Horizontal: share r/d of the dimensions. Left: words; right: positions. Of more
#:   models the first five.
#: alt: Left words, right positions: falling curves of the variance left outside r of d dimensions, logarithmic. Given tables fall earlier
#:   than Gaussian ones, positions much earlier than words. Models: {{M2.models}}.
#: size: 860x420
#: phone: 340x680

unset key
shown(list) = words(list) < 5 ? words(list) : 5
set logscale y
set xlabel 'leading dimensions, r/d'
set xrange [0:1] noextend
set yrange [1e-4:1.2] noextend
set ytics ('1' 1, '10%%' 0.1, '1%%' 0.01, '.1%%' 0.001, '.01%%' 0.0001)
kind(table, which, x) = strcol('table') eq table && strcol('which') eq which ? x : NaN
some(y) = y > 1e-6 ? y : NaN
panel_across = 74
set multiplot
do for [panel = 1:2] {
  which = panel == 1 ? 'words' : 'positions'
  models = panel == 1 ? models_words : models_positions
  eval panel(panel, 2)
  if (phone) { set yrange [1e-4:panel == 1 ? 1.2 : 40] }
  if (panel == 1) { set ylabel 'variance outside them' } else { if (!phone) { set ylabel '' } }
  do for [i = 2:19] { unset label i }
  set label 20 which at graph 0, graph 1.05 left tc rgb ink
  if (panel == 1) {
    do for [i = 1:shown(models)] { set label 1 + i display_name(word(models, i)) at graph 0.04, graph 0.40 - 0.075 * (i - 1) left tc lt model_style(word(models, i), all) noenhanced }
  } else {
    do for [i = 1:shown(models)] { set label 1 + i display_name(word(models, i)) at graph 0.97, graph 0.94 - 0.075 * (i - 1) right tc lt model_style(word(models, i), all) noenhanced }
  }
  if (words(models) > 0) {
    plot 0.01 with lines ls 10, \
      for [i = 1:shown(models)] data_m2_spectra using (pick('model', word(models, i), kind('gaussian', which, column('share')))):(some(column('left'))) \
        with lines ls model_style(word(models, i), all) dt (1.5, 4), \
      for [i = 1:shown(models)] data_m2_spectra using (pick('model', word(models, i), kind('given', which, column('share')))):(some(column('left'))) \
        with lines ls model_style(word(models, i), all)
  }
}
unset multiplot
