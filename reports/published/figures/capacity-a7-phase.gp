#: claim: A7
#: needs: capacity/a7_bits.csv
#: title: Split less full-width sum: up to {{A7.largest_gain.sinusoidal|+.2f}} bits with sinusoids,
#:   {{A7.largest_loss.random|.2f}} fewer with random tables
#: caption: Best of seven splits less the sum, in bits, over noise and load: widths d from 256 (bottom) to 32 (top), and for each of
#:   them, upwards, V = 256, 1,024 and 4,096 words, each with L = 64 and 256 positions. Orange: the best split carries more; blue: the
#:   sum does. Full cells: a difference by Benjamini and Hochberg's procedure at 1 % over all points; small ones: none.
#:   Bars across: the boundary, where the mean difference first falls to 0 after a certain gain. Noise at d = 32; it grows with √d,
#:   so that a word's energy over the noise's variance is the same in every row.
#: alt: Three maps of noise against load. Sinusoidal: the split wins at {{A7.concatenating_wins.sinusoidal|.0%}} of the
#:   points, the sum at {{A7.adding_wins.sinusoidal|.0%}}; centred: {{A7.concatenating_wins.centred|.0%}} and
#:   {{A7.adding_wins.centred|.0%}}; random: {{A7.concatenating_wins.random|.0%}} and {{A7.adding_wins.random|.0%}}. Between
#:   them no difference is certain.
#: size: 860x560

families = 'sinusoidal centred random'
# Four blocks of six rows: by width, then words, then positions; blocks seven apart.
row(d, v, l) = (8 - log(d) / log(2)) * 7 + (log(v) / log(2) - 8) + (l == 256)
step(n) = log(n) / log(2) * 2
of(f, x) = strcol('positions') eq f ? x : NaN
size_of(w) = w eq 'even' ? 0.17 : 0.48
# Where the mean gain first falls to 0 once a split was ahead for certain, between two noises of one row (ascending).
block = ''
nowhere = -99  # outside the picture; gnuplot complains when a plot has no point at all
crossing(b, n, g, w) = (b ne block ? (block = b, over = 0, ahead = 0, at_zero = nowhere) : \
  (at_zero = (!over && ahead && g <= 0) ? (over = 1, left_of + (n - left_of) * before / (before - g)) : nowhere), \
  ahead = ahead || w eq 'concatenating', before = g, left_of = n, at_zero)
row_name(x) = sprintf('%s %g %g %g', strcol('positions'), column('d'), column('words'), column('length'))
stats data_a7_bits using (step(column('noise'))) nooutput
first = STATS_min
last = STATS_max
stats data_a7_bits using (row(column('d'), column('words'), column('length'))) nooutput
set yrange [STATS_min - 0.9:STATS_max + 0.9] noextend
set xrange [first - 0.7:last + 0.7] noextend
unset key
unset grid
set border 0
set ytics ('d = 256' 2.5, '128' 9.5, '64' 16.5, '32' 23.5) scale 0
set xtics ('.35' -3, '.5' -2, '.7' -1, '1' 0, '1.4' 1, '2' 2, '2.8' 3, '4' 4) scale 0
set xlabel 'noise, n at d = 32'
set style fill solid 1 noborder
# Blue, ground, orange: told apart by readers with any colour vision.
if (dark) { set palette defined (-0.5 '#56b4e9', -0.2 '#2c5f85', 0 '#30363d', 0.2 '#8a5320', 0.5 '#ff8a3d') } \
else { set palette defined (-0.5 '#0072b2', -0.2 '#7fb2d3', 0 '#eceff2', 0.2 '#f0ad80', 0.5 '#d55e00') }
set cbrange [-0.5:0.5]
set cbtics ('sum, .4' -0.4, '.2' -0.2, '0' 0, '.2' 0.2, 'split, .4' 0.4) textcolor rgb quiet
set cblabel 'bits more' textcolor rgb ink offset -1, 0
set colorbox user origin screen 0.905, screen 0.15 size screen 0.018, screen 0.68 noborder
left(i) = 0.085 + 0.272 * (i - 1)
set tmargin at screen 0.83
set bmargin at screen 0.15
set multiplot
do for [i = 1:3] {
  f = word(families, i)
  set lmargin at screen left(i)
  set rmargin at screen left(i) + 0.258
  set label 2 f at graph 0.5, 1.04 centre tc rgb ink
  if (i > 1) { unset label 1 }
  if (i == 2) { set format y ''; unset colorbox; set ytics ('' 2.5, '' 9.5, '' 16.5, '' 23.5) scale 0 }
  if (i == 3) { set colorbox user origin screen 0.905, screen 0.15 size screen 0.018, screen 0.68 noborder }
  if (i == 1) { unset colorbox }
  plot data_a7_bits using (of(f, step(column('noise')))):(row(column('d'), column('words'), column('length'))):(size_of(strcol('winner'))):(size_of(strcol('winner'))):(column('gain')) \
    with boxxyerror fc palette, \
  data_a7_bits using (of(f, crossing(row_name(0), step(column('noise')), column('gain'), strcol('winner')))):(row(column('d'), column('words'), column('length')) - 0.5):(0):(1) \
    with vectors nohead lw 2.5 lc rgb ink
}
unset multiplot
