#: claim: M6
#: finding: M6.models
#: needs: inspect/m6_heads.csv
#: text: models = {{parameter.inspect.with_weights}}
#: title: What each head keeps of the distance, beside random weights
#: caption: Share of the variance of a head's position scores that the distance explains. Bars: the same positions through
#:   random weights, three standard deviations of a draw around the mean. Crosses: the sinusoid of the positions' shape
#:   through the model's weights. Of more than three models, the first three.
#: alt: One panel per model: points of the heads above bars of random weights, crosses of a sinusoid through the same weights
#:   mostly below.
#:   Models: {{M6.models}}. {{M6.condition}}.
#: size: 860x400

unset key
set yrange [0:1] noextend
set xlabel 'head'
shown = words(models) < 3 ? words(models) : 3
wide = 0.88 / shown
set multiplot
set tmargin at screen 0.81
set bmargin at screen 0.18
do for [i = 1:shown] {
  model = word(models, i)
  set xrange [*:*]
  set yrange [*:*]  # stats leaves out what is outside of it
  stats data_m6_heads using (strcol('model') eq model ? column('head') : 0) nooutput
  set xrange [-0.7:STATS_max + 0.7] noextend
  set yrange [0:1] noextend
  set lmargin at screen 0.1 + wide * (i - 1)
  set rmargin at screen 0.1 + wide * (i - 1) + 0.9 * wide
  if (i == 1) { set ylabel 'R² of the distance' } else { set ylabel ''; unset label 1; set ytics format '' }
  set label 2 model at graph 0, graph 1.06 left tc lt ((i - 1) % 8 + 1) noenhanced
  plot data_m6_heads using (pick('model', model, column('head'))):(column('control')):(0.3):((column('control_high') - column('control_low')) / 2) \
         with boxxyerror fs solid interval_fill lc rgb quiet, \
       data_m6_heads using (pick('model', model, column('head'))):(column('sinusoid')) with points pt 2 ps 0.7 lc rgb quiet, \
       data_m6_heads using (pick('model', model, column('head'))):(column('r2')) with points ls ((i - 1) % 8 + 1) ps 1
}
unset multiplot
