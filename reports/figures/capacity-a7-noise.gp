#: claim: A7
#: needs: capacity/a7_bits.csv
#: title: {{#verdict A7 false}}In noise, no concatenation carries 1% more bits than the best sum{{/verdict}}{{#verdict A7
#:   true|depends|open|unmeasured}}Best concatenation minus best sum, in bits, by noise{{/verdict}}
#: caption: Bits of the best split minus those of the best sum, width and share of power chosen on other codebooks (dots, 99% intervals
#:   over {{A7.gain_best_sum.sinusoidal.noise1.d32.n}} codebooks), and minus those of a full-width sum at one share of power (blue: another
#:   table, too); d = 32, V = 256, L = 64. On the right: of all bits, log₂ VL.
#: alt: Three panels for sinusoidal, centred and random positions. At noise one the difference of best split and best sum is
#:   {{A7.gain_best_sum.sinusoidal.noise1.d32|+.2f}}, {{A7.gain_best_sum.centred.noise1.d32|+.2f}} and
#:   {{A7.gain_best_sum.random.noise1.d32|+.2f}} bits, of 14. Against the sum of full width at one share of power it is
#:   {{A7.two_tables.sinusoidal.noise0p5|+.2f}}, {{A7.two_tables.centred.noise0p5|+.2f}} and {{A7.two_tables.random.noise0p5|+.2f}} at
#:   noise one half.
#: size: 860x400

families = 'sinusoidal centred random'
of(f, x) = strcol('positions') eq f && column('d') == 32 && column('words') == 256 && column('length') == 64 ? x : NaN
stats data_a7_bits using (column('noise')) nooutput
unset key
set logscale x
set xrange [STATS_min / 1.15:STATS_max * 1.15] noextend
set xtics ('0.35' 0.35355, '0.7' 0.70711, '1.4' 1.41421, '2.8' 2.82843)
set yrange [-0.47:0.47] noextend
set y2range [-100 * 0.47 / 14:100 * 0.47 / 14] noextend
set xlabel 'noise n'
panel_across = 30; panel_right = 62
set multiplot
do for [i = 1:3] {
  eval panel(i, 3)
  f = word(families, i)
  if (i == 1) { set ylabel 'concatenation minus sum, bits'; set ytics ('−0.4' -0.4, '−0.2' -0.2, '0' 0, '0.2' 0.2, '0.4' 0.4) } \
  else { set ylabel ''; set ytics ('' -0.4, '' -0.2, '' 0, '' 0.2, '' 0.4) }
  if (i == 3) { set y2tics ('−3%%' -3, '−2%%' -2, '−1%%' -1, '0' 0, '1%%' 1, '2%%' 2, '3%%' 3) textcolor rgb quiet }
  set label 2 f at graph 0, graph 1.06 left tc rgb ink
  set object 1 rect from graph 0, first 0 to graph 1, graph 1 fc rgb word(marks, concatenated) fs solid 0.07 noborder behind
  set object 2 rect from graph 0, graph 0 to graph 1, first 0 fc rgb word(marks, added) fs solid 0.07 noborder behind
  set label 3 'concatenating carries more' at graph 0.03, graph 0.94 left tc lt concatenated
  set label 4 'adding carries more' at graph 0.03, graph 0.06 left tc lt added
  if (i == 1) { set label 5 'minus the full sum' at graph 0.97, first 0.26 right tc lt added; set label 6 'minus the best sum' at graph 0.97, first -0.2 right tc rgb ink } else { unset label 5; unset label 6 }
  plot 0 with lines ls 11, \
       data_a7_bits using (of(f, column('noise'))):(column('tables')) with lines ls added lw 1.5 dt 2, \
       data_a7_bits using (of(f, column('noise'))):(column('gain')) with lines ls 8 lw 1, \
       data_a7_bits using (of(f, column('noise'))):(column('gain')):(column('gain_low')):(column('gain_high')) with yerrorbars ls 8 pt 7 ps 0.7
}
unset multiplot
