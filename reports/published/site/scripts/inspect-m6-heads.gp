#: claim: M6
#: finding: M6.models
#: needs: inspect/m6_heads.csv
#: text: models = {{parameter.inspect.with_weights}}
#: text: all = {{parameter.inspect.models}}
#: title: How much of each trained head's position logits distance explains, against random weights
#: caption: Share of the variance of a head's position–position logits that relative distance explains. Bars: the same positions through
#:   random weights, three standard deviations around the mean. Crosses: a sinusoid through the model's weights. Of more than three
#:   models, the first three.
#: alt: One panel per model: a point for each head beside a bar of random weights and a cross of a sinusoid through the same weights.
#:   Models: {{M6.models}}.
#: size: 860x400
#: phone: 340x780

unset key
set yrange [0:1] noextend
set xlabel 'head'
shown = words(models) < 3 ? words(models) : 3
panel_across = 34
set multiplot
do for [i = 1:shown] {
  model = word(models, i)
  set xrange [*:*]
  set yrange [*:*]  # stats leaves out what is outside of it
  stats data_m6_heads using (strcol('model') eq model ? column('head') : 0) nooutput
  set xrange [-0.7:STATS_max + 0.7] noextend
  set yrange [0:1] noextend
  eval panel(i, shown)
  if (i == 1) { set ylabel 'R² of the distance' } else { if (!phone) { set ylabel ''; set ytics format '' } }
  set label 2 display_name(model) at graph 0, graph 1.06 left tc lt model_style(word(models, i), all) noenhanced
  plot data_m6_heads using (pick('model', model, column('head'))):(column('control')):(0.3):((column('control_high') - column('control_low')) / 2) \
         with boxxyerror fs solid interval_fill lc rgb quiet, \
       data_m6_heads using (pick('model', model, column('head'))):(column('sinusoid')) with points pt 2 ps 0.7 lc rgb quiet, \
       data_m6_heads using (pick('model', model, column('head'))):(column('r2')) with points ls model_style(word(models, i), all) ps 1
}
unset multiplot
