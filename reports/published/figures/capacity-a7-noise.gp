#: claim: A7
#: needs: capacity/a7_bits.csv
#: title: Best split less best sum: {{A7.gain_best_sum.sinusoidal.noise1.d32|+.2f}}, {{A7.gain_best_sum.centred.noise1.d32|+.2f}}
#:   and {{A7.gain_best_sum.random.noise1.d32|+.2f}} bits at n = 1
#: caption: Above, bits of word and position together that survive noise: the best sum (circles) and the best split
#:   (squares), each with width and share of power chosen on other codebooks, d = 32, V = 256, L = 64. Dashed: white
#:   Gaussian bound of all the power, ½ d log₂(1 + 3/(2n²)); dotted: log₂ VL, all there is. Below, the best split less the best
#:   sum, with its 99 % interval over {{A7.gain_best_sum.sinusoidal.noise1.d32.n}} codebooks (dots); and less the sum of full
#:   width at one share of power (line without dots): two tables of positions. Dotted: no difference.
#: alt: Three columns for sinusoidal, centred and random positions. Bits fall from the ceiling of fourteen at weak noise
#:   towards the Gaussian bound at strong noise, best sum and best split close together. At noise one the difference is
#:   {{A7.gain_best_sum.sinusoidal.noise1.d32|+.2f}}, {{A7.gain_best_sum.centred.noise1.d32|+.2f}} and
#:   {{A7.gain_best_sum.random.noise1.d32|+.2f}} bits. The difference to the sum of full width at one share of power is
#:   {{A7.two_tables.sinusoidal.noise0p5|+.2f}}, {{A7.two_tables.centred.noise0p5|+.2f}} and {{A7.two_tables.random.noise0p5|+.2f}} at
#:   noise one half.
#: size: 860x560

families = 'sinusoidal centred random'
of(f, x) = strcol('positions') eq f && column('d') == 32 && column('words') == 256 && column('length') == 64 ? x : NaN
bound(n) = 16 * log(1 + 1.5 / n**2) / log(2)
stats data_a7_bits using (column('noise')) nooutput
unset key
set logscale x
set xrange [STATS_min / 1.15:STATS_max * 1.15] noextend
set xtics ('.35' 0.35355, '.5' 0.5, '.7' 0.70711, '1' 1, '1.4' 1.41421, '2' 2, '2.8' 2.82843, '4' 4)
left(i) = 0.085 + 0.305 * (i - 1)
set multiplot
do for [i = 1:3] {
  f = word(families, i)
  set lmargin at screen left(i)
  set rmargin at screen left(i) + 0.275
  set tmargin at screen 0.84
  set bmargin at screen 0.44
  set label 2 f at graph 0.5, 1.06 centre tc rgb ink
  if (i == 1) { set ylabel 'bits of word and position' offset 0, 0; set format y '%g'; \
    set label 3 'best sum' at graph 0.06, 0.24 left tc ls 1; set label 4 'best split' at graph 0.06, 0.14 left tc ls 2 } \
  else { set ylabel ''; set format y ''; unset label 3; unset label 4 }
  set xlabel ''
  set xtics ('' 0.35355, '' 0.5, '' 0.70711, '' 1, '' 1.41421, '' 2, '' 2.82843, '' 4)
  set yrange [0:16.5] noextend
  set ytics 4
  plot data_a7_bits using (of(f, column('noise'))):(column('ceiling')) with lines ls 11, \
       data_a7_bits using (of(f, column('noise'))):(bound(column('noise')) < 16.5 ? bound(column('noise')) : NaN) with lines ls 10, \
       data_a7_bits using (of(f, column('noise'))):(column('split')) with linespoints ls 2 ps 1.1, \
       data_a7_bits using (of(f, column('noise'))):(column('sum')) with linespoints ls 1 ps 0.6
  set tmargin at screen 0.40
  set bmargin at screen 0.12
  unset label 1
  unset label 2
  unset label 3
  unset label 4
  if (i == 1) { set ylabel 'best split less sum, bits' offset 0.9, 0; set format y '%+.1f'; \
    set label 3 'less the full sum' at graph 0.97, 0.93 right tc ls 3; set label 4 'less the best sum' at graph 0.97, 0.08 right tc ls 8 }
  set xlabel 'noise per dimension, n'
  set xtics ('.35' 0.35355, '.5' 0.5, '.7' 0.70711, '1' 1, '1.4' 1.41421, '2' 2, '2.8' 2.82843, '4' 4)
  set yrange [-0.47:0.47] noextend
  set ytics 0.2
  plot 0 with lines ls 11, \
       data_a7_bits using (of(f, column('noise'))):(column('tables')) with lines ls 3 lw 1.5, \
       data_a7_bits using (of(f, column('noise'))):(column('gain')):(column('gain_low')):(column('gain_high')) with yerrorbars ls 8 ps 0.7, \
       data_a7_bits using (of(f, column('noise'))):(column('gain')) with lines ls 8 lw 1
}
unset multiplot
