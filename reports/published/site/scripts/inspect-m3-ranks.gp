#: claim: M3
#: finding: M3.rank_pairs
#: needs: inspect/m3_ranks.csv
#: text: models = {{parameter.inspect.with_both}}
#: text: all = {{parameter.inspect.models}}
#: title: Leading directions of words and positions: how close to right angles, against chance
#: caption: Mean squared principal cosine between the leading directions of the centred words and as many of the centred positions, over
#:   its mean by chance. Bands: 99% of random rotations of one of the two; dotted: chance. Below the band: nearer to right angles than
#:   chance. Of more than three models, the first three.
#: alt: One panel per model: mean squared principal cosine over chance against the number of leading directions, beside a narrow band
#:   around one. Models: {{M3.models}}.
#: size: 860x400
#: phone: 340x780

unset key
set logscale x 2
set xrange [7:73] noextend
set xtics (8, 16, 32, 64)
set yrange [0:1.7] noextend
if (phone) { set ytics 0.5 }
set xlabel 'leading directions of each'
shown = words(models) < 3 ? words(models) : 3
of(name, y) = column('k') == column('r') && strcol('end') eq 'leading' ? pick('model', name, y) : NaN
panel_across = 40
set multiplot
do for [i = 1:shown] {
  model = word(models, i)
  eval panel(i, shown)
  if (i == 1) { set ylabel 'mean cos² over chance' } else { if (!phone) { set ylabel ''; set ytics format '' } }
  set label 2 display_name(model) at graph 0, graph 1.06 left tc lt model_style(word(models, i), all) noenhanced
  if (i == 1) { set label 3 'random rotations' at 64, 1.14 right tc rgb quiet } else { unset label 3 }
  plot data_m3_ranks using (of(model, column('k'))):(column('ratio_low')):(column('ratio_high')) \
         with filledcurves fs solid interval_fill lc rgb quiet, \
       1 with lines ls 11, \
       data_m3_ranks using (of(model, column('k'))):(column('ratio')) with linespoints ls model_style(word(models, i), all) ps 0.7
}
unset multiplot
