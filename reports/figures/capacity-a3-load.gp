#: claim: A3
#: needs: capacity/a3_load.csv capacity/a3_line.csv
#: title: At V + L = d one matrix leaves {{A3.residual.random.adding.load1.ratio1|.0%}} with random positions,
#:   {{A3.residual.sinusoidal.adding.load1.ratio1|.0%}} with sinusoids (cutoff 10⁻⁶); at 2d {{A3.residual.random.adding.load2.ratio1|.0%}} and {{A3.residual.sinusoidal.adding.load2.ratio1|.0%}}
#: caption: Share of the scores' energy that the best matrix leaves, d = 64, over all pairs of sums; V words, L positions,
#:   random targets. Filled: positions added; open: the best even split of the concatenation. Left, as many words as positions;
#:   middle, eight words per position; right, the same for each job, random positions. Dashed: closed forms for random
#:   positions at large d (left, middle; upper curve of the middle: adding), the mean given the tables (right). Vertical: V + L = d.
#:   A job passes 100 % where the fit serves the others at its expense. Sinusoids as they are, cutoff 1e-6. Bars: Student's t, 99 %, over the draws of words, positions and targets.
#: alt: Three panels of residual against load. With as many words as positions, random positions leave {{A3.residual.random.adding.load1.ratio1|.0%}} at load one
#:   and {{A3.residual.random.adding.load2.ratio1|.0%}} at load two, split {{A3.residual.random.split.load2.ratio1|.0%}}; sinusoids, cutoff 10⁻⁶, leave
#:   {{A3.residual.sinusoidal.adding.load0p5.ratio1|.0%}} at half load and
#:   {{A3.residual.sinusoidal.adding.load1.ratio1|.0%}} at load one. With eight words per position the best split leaves
#:   {{A3.residual.random.split.load2.ratio8|.0%}} at load two where adding leaves
#:   {{A3.residual.random.adding.load2.ratio8|.0%}}. By job, the split keeps the position-position scores and gives up words.
#: size: 1000x430

sel(p, t, r, x) = (strcol('positions') eq p && strcol('table') eq t && column('ratio') == r && abs(column('cutoff') / 1e-6 - 1) < 0.1) ? x : NaN
unset key
set multiplot
set tmargin at screen 0.80
set xrange [0:4.15]
set yrange [-0.02:1.12]
set xtics 1
set ytics ('0' 0, '20 %%' 0.2, '40 %%' 0.4, '60 %%' 0.6, '80 %%' 0.8, '100 %%' 1)
set arrow 1 from 1, graph 0 to 1, graph 1 nohead ls 11
set xlabel 'load (V + L)/d'

set lmargin at screen 0.075
set rmargin at screen 0.345
set ylabel 'residual'
set label 2 'V = L' at graph 0, graph 1.05 left tc rgb ink
set label 3 'random, added or split' at first 1.40, first 0.30 left tc lt 1
set label 4 'sinusoids, split' at first 0.10, first 0.70 left tc lt 2
set label 5 'sinusoids, added' at first 1.75, first 0.56 left tc lt 2
plot data_a3_line using (at('ratio', 1, column('load'))):(column('adding')) with lines ls 10, \
     data_a3_load using (sel('sinusoidal', 'split', 1, column('load'))):(column('residual')) with linespoints ls 2 pt 4 ps 0.8 dt 3, \
     data_a3_load using (sel('sinusoidal', 'adding', 1, column('load'))):(column('residual')) with linespoints ls 2 ps 0.8, \
     data_a3_load using (sel('random', 'split', 1, column('load'))):(column('residual')) with points ls 1 pt 6 ps 1.1, \
     data_a3_load using (sel('random', 'adding', 1, column('load'))):(column('residual')):(column('low')):(column('high')) with yerrorbars ls 1 ps 0.8

unset label 1
set lmargin at screen 0.390
set rmargin at screen 0.660
set ylabel ''
set ytics 0.2
set format y ''
set label 2 'V = 8 L'
set label 3 'added' at first 1.10, first 0.60 right tc lt 1
set label 4 'best split' at first 2.35, first 0.34 left tc lt 1
set label 5 'sinusoids' at first 1.05, first 0.93 left tc lt 2
plot data_a3_line using (at('ratio', 8, column('load'))):(column('adding')) with lines ls 10, \
     data_a3_line using (at('ratio', 8, column('load'))):(column('split')) with lines ls 10, \
     data_a3_load using (sel('sinusoidal', 'split', 8, column('load'))):(column('residual')) with linespoints ls 2 pt 4 ps 0.8 dt 3, \
     data_a3_load using (sel('sinusoidal', 'adding', 8, column('load'))):(column('residual')) with linespoints ls 2 ps 0.8, \
     data_a3_load using (sel('random', 'split', 8, column('load'))):(column('residual')):(column('low')):(column('high')) with yerrorbars ls 1 pt 6 ps 0.9, \
     data_a3_load using (sel('random', 'adding', 8, column('load'))):(column('residual')):(column('low')):(column('high')) with yerrorbars ls 1 ps 0.8

set lmargin at screen 0.705
set rmargin at screen 0.975
set label 2 'V = 8 L, job by job'
set label 3 'word–word' at first 1.30, first 1.075 left tc lt 3
set label 4 'word–position' at first 2.35, first 0.50 left tc lt 4
set label 5 'position–position' at first 2.1, first 0.13 left tc lt 5
jobs = 'ww wp pp'
plot for [i = 1:3] data_a3_load using (sel('random', 'adding', 8, column('load'))):(column(word(jobs, i) . '_expected')) with lines ls 10, \
     for [i = 1:3] data_a3_load using (sel('random', 'split', 8, column('load'))):(column(word(jobs, i) . '_expected')) with lines ls 10, \
     for [i = 1:3] data_a3_load using (sel('random', 'split', 8, column('load'))):(column(word(jobs, i))) with points ls (i + 2) pt 6 ps 0.9, \
     for [i = 1:3] data_a3_load using (sel('random', 'adding', 8, column('load'))):(column(word(jobs, i))) with points ls (i + 2) pt 7 ps 0.8
unset multiplot
