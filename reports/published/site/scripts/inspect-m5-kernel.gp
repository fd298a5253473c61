#: claim: M5
#: finding: M5.models
#: needs: inspect/m5_kernel.csv
#: text: models = {{parameter.inspect.with_positions}}
#: text: all = {{parameter.inspect.models}}
#: title: How similar two positions are, by relative distance
#: caption: Mean product over that of a position with itself. Dashed: the sinusoid of the same shape (base 10,000). Band: three standard
#:   deviations of a Gaussian table of that shape. Logarithmic; at the right end few pairs are left. Of more than three models, the first
#:   three.
#: alt: One panel per model: the mean product falls with distance, beside a sinusoid's and a narrow band around 0. Models: {{M5.models}}.
#: size: 860x380
#: phone: 340x800

unset key
set logscale x
set xtics ('1' 1, '10' 10, '100' 100, '1,000' 1000)
set yrange [-1.05:1.05] noextend
set xlabel 'relative distance'
shown = words(models) < 3 ? words(models) : 3
panel_across = 40
set multiplot
do for [i = 1:shown] {
  model = word(models, i)
  eval panel(i, shown)
  if (i == 1) { set ylabel (phone ? 'mean product' : 'mean product, over distance 0') } else { if (!phone) { set ylabel ''; set ytics format '' } }
  set label 2 display_name(model) at graph 0, graph 1.06 left tc lt model_style(word(models, i), all) noenhanced
  if (i == 1) { set label 3 'sinusoid' at graph 0.97, graph 0.95 right tc rgb quiet; set label 4 'around 0: Gaussian entries' at graph 0.03, graph 0.05 left tc rgb quiet } else { unset label 3; unset label 4 }
  some(k) = k > 0 && (k < 64 || int(k) % 4 == 0) ? k : NaN
  past(x) = column('lag') > 0 ? x : NaN
  plot data_m5_kernel using (pick('model', model, some(column('lag')))):(column('gaussian_low')):(column('gaussian_high')) \
         with filledcurves fs solid interval_fill lc rgb quiet, \
       data_m5_kernel using (pick('model', model, past(column('lag')))):(column('sinusoid')) with lines ls 10, \
       data_m5_kernel using (pick('model', model, past(column('lag')))):(column('given')) with lines ls model_style(word(models, i), all)
}
unset multiplot
