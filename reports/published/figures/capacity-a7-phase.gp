#: claim: A7
#: needs: capacity/a7_bits.csv
#: title: Once both sides choose, splits win at {{A7.split_wins.sinusoidal}}, {{A7.split_wins.centred}} and
#:   {{A7.split_wins.random}} places, sums at {{A7.sum_wins.sinusoidal}}, {{A7.sum_wins.centred}} and {{A7.sum_wins.random}}
#: caption: Best split less best sum, in bits, over noise and width d (V = 256, L = 64). Orange: the best split carries more; blue: the
#:   sum does. Large cells: a difference by Benjamini and Hochberg's procedure at 1 % over all places; small ones: none; dots: the
#:   better side carries more than 98 % of log₂ VL, where no side can win. Noise at d = 32; it grows with √d, so that the power over
#:   the noise's variance is the same in every row. The counts hold the places with 1,024 words, too, which are not drawn.
#: alt: Three maps of noise against width. Of {{A7.places.sinusoidal}} sinusoidal, {{A7.places.centred}} centred and
#:   {{A7.places.random}} random places where there is room, the split wins for certain at {{A7.split_wins.sinusoidal}},
#:   {{A7.split_wins.centred}} and {{A7.split_wins.random}}, the sum at {{A7.sum_wins.sinusoidal}}, {{A7.sum_wins.centred}} and
#:   {{A7.sum_wins.random}}.
#: size: 860x400

families = 'sinusoidal centred random'
row(d) = 8 - log(d) / log(2)
step(n) = log(n) / log(2) * 2
of(f, x) = strcol('positions') eq f && column('words') == 256 ? x : NaN
size_of(w) = w eq 'full' ? 0.05 : w eq 'even' ? 0.2 : 0.45
stats data_a7_bits using (step(column('noise'))) nooutput
first = STATS_min
last = STATS_max
stats data_a7_bits using (row(column('d'))) nooutput
set yrange [STATS_min - 0.7:STATS_max + 0.7] noextend
set xrange [first - 0.7:last + 0.7] noextend
unset key
unset grid
set border 0
set ytics ('256' 0, '128' 1, '64' 2, '32' 3) scale 0
set ylabel 'd'
set xtics ('.35' -3, '.5' -2, '.7' -1, '1' 0, '1.4' 1, '2' 2, '2.8' 3, '4' 4) scale 0
set xlabel 'noise, n at d = 32'
set style fill solid 1 noborder
# Blue, ground, orange: told apart by readers with any colour vision.
if (dark) { set palette defined (-0.5 '#56b4e9', -0.2 '#2c5f85', 0 '#30363d', 0.2 '#8a5320', 0.5 '#ff8a3d') } \
else { set palette defined (-0.5 '#0072b2', -0.2 '#7fb2d3', 0 '#d5dade', 0.2 '#f0ad80', 0.5 '#d55e00') }
set cbrange [-0.3:0.3]
set cbtics ('sum, .2' -0.2, '0' 0, 'split, .2' 0.2) textcolor rgb quiet
set cblabel 'bits more' textcolor rgb ink offset -1, 0
left(i) = 0.085 + 0.272 * (i - 1)
set tmargin at screen 0.8
set bmargin at screen 0.19
set multiplot
do for [i = 1:3] {
  f = word(families, i)
  set lmargin at screen left(i)
  set rmargin at screen left(i) + 0.258
  set label 2 f at graph 0.5, 1.06 centre tc rgb ink
  if (i > 1) { unset label 1; set format y ''; set ylabel ''; set ytics ('' 0, '' 1, '' 2, '' 3) scale 0 }
  if (i == 3) { set colorbox user origin screen 0.905, screen 0.19 size screen 0.018, screen 0.6 noborder } \
  else { unset colorbox }
  plot data_a7_bits using (of(f, step(column('noise')))):(row(column('d'))):(size_of(strcol('winner'))):(size_of(strcol('winner'))):(column('gain')) \
    with boxxyerror fc palette
}
unset multiplot
