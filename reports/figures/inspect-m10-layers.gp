#: claim: M10
#: finding: M10.models
#: needs: inspect/m10_layers.csv inspect/m10_bert.csv
#: text: models = {{parameter.inspect.with_texts}}
#: title: What an encoder's layers keep of word and position
#: caption: By depth, as a share of all blocks; the first model. Upper left: stable rank of the positions' means over texts; lower left: their
#:   norm over that of the states, about the states' mean. Open: under a causal mask; dashed: BERT by Song & Zhong 2023, texts of 512 tokens, under such a
#:   mask. Upper right: overlap ω of the words' and the positions' covariances; dotted: chance. Lower right: shares that a
#:   linear probe reads right, 99 % intervals over texts; dotted: chance.
#: alt: Four panels by depth. {{M10.condition}}.
#: size: 860x600

unset key
model = word(models, 1)
stats data_m10_layers using (strcol('model') eq model ? column('depth') : 0) nooutput
blocks = STATS_max
of(mask, x) = (strcol('model') eq model && strcol('mask') eq mask) ? x : NaN
set multiplot
set xrange [-0.03:1.03] noextend
set xtics ('0' 0, '.25' 0.25, '.5' 0.5, '.75' 0.75, '1' 1)
do for [c = 1:4] {
  set lmargin at screen (c == 1 || c == 3 ? 0.085 : 0.585)
  set rmargin at screen (c == 1 || c == 3 ? 0.485 : 0.985)
  set tmargin at screen (c < 3 ? 0.87 : 0.435)
  set bmargin at screen (c < 3 ? 0.56 : 0.125)
  if (c < 3) { set xlabel ''; set format x '' } else { set xlabel 'depth, of all blocks'; set format x }
  if (c == 2) { unset label 1 }
  unset label 2
  unset label 3
  unset logscale y
  set yrange [0:*]
  if (c == 1) {
    set ylabel 'stable rank' offset 0, 0
    set label 2 model at graph 0.97, graph 0.93 right tc lt 1 noenhanced
    set label 3 'BERT, published' at graph 0.97, graph 0.83 right tc rgb quiet
    plot data_m10_bert using (column('depth') / 12):(column('stable_rank')) with lines ls 10, \
         data_m10_layers using (of('causal', column('depth') / blocks)):(column('stable_rank')) with linespoints ls 1 lw 1 dt (2, 3) pt 6, \
         data_m10_layers using (of('none', column('depth') / blocks)):(column('stable_rank')) with linespoints ls 1
  }
  if (c == 2) {
    set ylabel 'ω of words and positions' offset 0, 0
    set logscale y
    set yrange [*:*]
    plot 1 with lines ls 11, \
         data_m10_layers using (of('causal', column('depth') / blocks)):(column('overlap')) with linespoints ls 1 lw 1 dt (2, 3) pt 6, \
         data_m10_layers using (of('none', column('depth') / blocks)):(column('overlap')) with linespoints ls 1
  }
  if (c == 3) {
    set ylabel 'relative norm' offset 1, 0
    set yrange [0:1]
    plot data_m10_bert using (column('depth') / 12):(column('relative_norm')) with lines ls 10, \
         data_m10_layers using (of('causal', column('depth') / blocks)):(column('relative_norm')) with linespoints ls 1 lw 1 dt (2, 3) pt 6, \
         data_m10_layers using (of('none', column('depth') / blocks)):(column('relative_norm')) with linespoints ls 1
  }
  if (c == 4) {
    set ylabel 'read right' offset 1, 0
    set yrange [0:1.04]
    set label 2 'word' at graph 0.03, graph 0.86 left tc lt 2
    set label 3 'position' at graph 0.03, graph 0.3 left tc lt 3
    plot data_m10_layers using (of('none', column('depth') / blocks)):(column('word_right_chance')) with lines ls 11 lc rgb (dark ? 0xff8a3d : 0xd55e00), \
         data_m10_layers using (of('none', column('depth') / blocks)):(column('position_right_chance')) with lines ls 11 lc rgb (dark ? 0x2fc79a : 0x009e73), \
         data_m10_layers using (of('none', column('depth') / blocks)):(column('word_right')):(column('word_right_low')):(column('word_right_high')) with yerrorbars ls 2, \
         data_m10_layers using (of('none', column('depth') / blocks)):(column('word_right')) with lines ls 2, \
         data_m10_layers using (of('none', column('depth') / blocks)):(column('position_right')):(column('position_right_low')):(column('position_right_high')) with yerrorbars ls 3, \
         data_m10_layers using (of('none', column('depth') / blocks)):(column('position_right')) with lines ls 3
  }
}
unset multiplot
