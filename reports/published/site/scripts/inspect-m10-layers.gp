#: claim: M10
#: finding: M10.models
#: needs: inspect/m10_layers.csv inspect/m10_bert.csv
#: text: models = {{parameter.inspect.with_texts}}
#: text: all = {{parameter.inspect.models}}
#: title: How an encoder's layers change what positions hold
#: caption: By depth, as a share of all blocks. Left: stable rank of the positions' means over texts. Middle: their norm over that of the
#:   states, about the states' mean. Right: overlap ω of words' and positions' covariances; dotted: chance. Open: under a causal mask.
#:   Dashed: BERT (Song & Zhong 2023), under such a mask.
#: alt: Three panels by depth: stable rank and relative norm of the positions' means, overlap of words and positions.
#: size: 860x400
#: phone: 340x800

unset key
m = word(models, 1)
mine = model_style(m, all)
stats data_m10_layers using (strcol('model') eq m ? column('depth') : 0) nooutput
blocks = STATS_max
of(mask, x) = strcol('model') eq m && strcol('mask') eq mask ? x : NaN
measures = 'stable_rank relative_norm overlap'
says = '"stable rank" "relative norm" "overlap ω"'
set xrange [-0.03:1.03] noextend
set xtics ('0' 0, '0.5' 0.5, '1' 1)
set xlabel 'depth'
panel_across = 66; if (!phone) { panel_left = 62 }
set multiplot
do for [c = 1:3] {
  eval panel(c, 3)
  set label 2 word(says, c) at graph 0, graph 1.06 left tc rgb ink
  if (c == 1) {
    set label 3 display_name(m) at graph 0.97, graph 0.93 right tc lt mine noenhanced
    set label 4 'BERT, published' at graph 0.97, graph 0.83 right tc rgb quiet
  } else { unset label 3; unset label 4 }
  set yrange [0:*]
  if (phone) { if (c == 1) { set ytics 2 } else { set ytics 0.2 } }
  if (c == 2) { set yrange [0:1.03] }
  if (c == 3) { set logscale y; set yrange [0.01:10]; set ytics ('0.01' 0.01, '0.1' 0.1, '1' 1, '10' 10) }
  measure = word(measures, c)
  plot data_m10_layers using (of('none', column('depth') / blocks)):(c == 3 ? 1 : -1) with lines ls 11, \
       data_m10_bert using (column('depth') / 12):(c == 3 ? 1 : column(c == 3 ? 1 : measure)) with lines ls (c == 3 ? 11 : 10), \
       data_m10_layers using (of('causal', column('depth') / blocks)):(column(measure)) with linespoints ls mine lw 1 pt 6, \
       data_m10_layers using (of('none', column('depth') / blocks)):(column(measure)) with linespoints ls mine
}
unset multiplot
