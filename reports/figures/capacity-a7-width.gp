#: claim: A7
#: needs: capacity/a7_bits.csv
#: title: Best concatenation minus best sum, as a share of the bits sent, by width and noise
#: caption: Bits of the best split minus those of the best sum, of all there is, log₂ VL, against width; V = 256, L = 64; each side's width
#:   and share of power chosen on other codebooks. n: noise at d = 32, growing with √d. Bars: 99% intervals over codebooks. Rings:
#:   centred sinusoids.
#: alt: Three panels, noise one half, one and two, difference of the best split and the best sum against widths from 32 to 256. At n = 1
#:   and d = 32 it is {{A7.gain_best_sum.sinusoidal.noise1.d32|+.2f}} bits with sinusoids, {{A7.gain_best_sum.centred.noise1.d32|+.2f}}
#:   with centred ones and {{A7.gain_best_sum.random.noise1.d32|+.2f}} with random positions, of 14.
#: size: 860x400

families = 'sinusoidal centred random'
dash(k) = k == 3 ? random : sinusoidal
shapes_of = '7 6 8'
noises = '0.5 1 2'
says = '½ 1 2'
beside(k) = 1.07 ** (k - 2)
of(f, n, x) = strcol('positions') eq f && column('words') == 256 && column('length') == 64 && abs(column('noise') - n) < 1e-6 ? x : NaN
unset key
set logscale x 2
set xrange [26:320] noextend
set xtics (32, 64, 128, 256)
set yrange [-5:5] noextend
set ytics ('−4%%' -4, '−2%%' -2, '0' 0, '2%%' 2, '4%%' 4)
set xlabel 'width d'
panel_across = 34
set multiplot
do for [i = 1:3] {
  eval panel(i, 3)
  n = word(noises, i) + 0
  if (i == 1) { set ylabel 'concatenation minus sum, of all bits' } else { set ylabel ''; set format y '' ; set ytics ('' -4, '' -2, '' 0, '' 2, '' 4) }
  set label 2 'noise n = ' . word(says, i) at graph 0, graph 1.06 left tc rgb ink
  set label 3 'concatenating carries more' at graph 0.03, graph 0.94 left tc lt concatenated
  set label 4 'adding carries more' at graph 0.03, graph 0.06 left tc lt added
  set object 1 rect from graph 0, first 0 to graph 1, graph 1 fc rgb word(marks, concatenated) fs solid 0.07 noborder behind
  set object 2 rect from graph 0, graph 0 to graph 1, first 0 fc rgb word(marks, added) fs solid 0.07 noborder behind
  if (i == 1) {
    set key at graph 1, graph 0.12 right bottom vertical maxrows 4 samplen 2.2
  } else { unset key }
  plot 0 with lines ls 11 notitle, \
       for [k = 1:3] data_a7_bits using (of(word(families, k), n, column('d') * beside(k))):(100 * column('gain') / column('ceiling')) \
         with lines lc rgb ink lw 1.3 dt dash(k) notitle, \
       for [k = 1:3] data_a7_bits using (of(word(families, k), n, column('d') * beside(k))):(100 * column('gain') / column('ceiling')):(100 * column('gain_low') / column('ceiling')):(100 * column('gain_high') / column('ceiling')) \
         with yerrorbars lc rgb ink lw 1.3 pt (word(shapes_of, k) + 0) ps 0.8 title word(families, k)
}
unset multiplot
