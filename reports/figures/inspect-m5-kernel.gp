#: claim: M5
#: finding: M5.models
#: needs: inspect/m5_kernel.csv
#: text: models = {{parameter.inspect.with_positions}}
#: title: Mean product of two positions against their distance
#: caption: Over the mean product of a position with itself. Dashed: the sinusoid of the same shape (base 10,000). Band: three
#:   standard deviations of a Gaussian table of that shape around their mean. The horizontal axis is logarithmic; at its
#:   right end few pairs are left. Of more than three models, the first three.
#: alt: One panel per model: the mean product falls with distance, beside a sinusoid's and a narrow band around 0.
#:   Models: {{M5.models}}. {{M5.condition}}.
#: size: 860x380

unset key
set logscale x
set yrange [-1.05:1.05] noextend
set xlabel 'distance, positions'
shown = words(models) < 3 ? words(models) : 3
wide = 0.88 / shown
set multiplot
set tmargin at screen 0.8
set bmargin at screen 0.18
do for [i = 1:shown] {
  model = word(models, i)
  set lmargin at screen 0.1 + wide * (i - 1)
  set rmargin at screen 0.1 + wide * (i - 1) + 0.9 * wide
  if (i == 1) { set ylabel 'mean product, over distance 0' } else { set ylabel ''; unset label 1; set ytics format '' }
  set label 2 model at graph 0, graph 1.06 left tc lt ((i - 1) % 8 + 1) noenhanced
  if (i == 1) { set label 3 'sinusoid' at graph 0.97, graph 0.95 right tc rgb quiet; set label 4 'around 0: Gaussian entries' at graph 0.03, graph 0.05 left tc rgb quiet } else { unset label 3; unset label 4 }
  past(x) = column('lag') > 0 ? x : NaN
  plot data_m5_kernel using (pick('model', model, past(column('lag')))):(column('gaussian_low')):(column('gaussian_high')) \
         with filledcurves fs solid interval_fill lc rgb quiet, \
       data_m5_kernel using (pick('model', model, past(column('lag')))):(column('sinusoid')) with lines ls 10, \
       data_m5_kernel using (pick('model', model, past(column('lag')))):(column('given')) with lines ls ((i - 1) % 8 + 1)
}
unset multiplot
