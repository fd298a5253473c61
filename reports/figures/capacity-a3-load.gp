#: claim: A3
#: needs: capacity/a3_load.csv capacity/a3_line.csv
#: title: {{#verdict A3 false}}One matrix serves all four kinds of logits only while there are fewer rows than
#:   dimensions{{/verdict}}{{#verdict A3 true|depends|open|unmeasured}}What one matrix leaves of four kinds of logits, by the number
#:   of rows over dimensions{{/verdict}}
#: caption: Share of the logits' squared norm that the best matrix leaves, d = 64, random targets. Left, as many words as positions;
#:   middle and right, eight words per position; right, kind by kind, random positions. Open: concatenated. Dashed: closed forms. Dotted:
#:   V + L = d. Bars: 99% intervals over draws.
#: alt: Three panels of residual against load. With as many words as positions, random positions leave
#:   {{A3.residual.random.adding.load1.ratio1|.0%}} at load one and {{A3.residual.random.adding.load2.ratio1|.0%}} at load two, split
#:   {{A3.residual.random.split.load2.ratio1|.0%}}; sinusoids, cutoff 10⁻⁶, leave {{A3.residual.sinusoidal.adding.load0p5.ratio1|.0%}} at
#:   half load and {{A3.residual.sinusoidal.adding.load1.ratio1|.0%}} at load one. With eight words per position the best split leaves
#:   {{A3.residual.random.split.load2.ratio8|.0%}} at load two where adding leaves {{A3.residual.random.adding.load2.ratio8|.0%}}. By
#:   kind, the concatenation keeps the position-position logits and gives up words.
#: size: 920x450

sel(p, t, r, x) = (strcol('positions') eq p && strcol('table') eq t && column('ratio') == r && abs(column('cutoff') / 1e-6 - 1) < 0.1) ? x : NaN
unset key
set multiplot
panel_across = 40
set xrange [0:4.15]
set yrange [-0.02:1.12]
set xtics 1
set ytics ('0' 0, '20%%' 0.2, '40%%' 0.4, '60%%' 0.6, '80%%' 0.8, '100%%' 1)
set arrow 1 from 1, graph 0 to 1, graph 1 nohead ls 11
set xlabel 'load (V + L)/d'

eval panel(1, 3)
set ylabel 'residual'
set label 2 'V = L' at graph 0, graph 1.05 left tc rgb ink
set label 3 'random' at first 1.60, first 0.30 left tc rgb ink
set label 4 'sinusoids' at first 0.10, first 0.70 left tc rgb ink
set label 5 'added' at first 2.5, first 0.14 left tc lt added
set label 6 'concatenated' at first 2.5, first 0.06 left tc lt concatenated
plot data_a3_line using (at('ratio', 1, column('load'))):(column('adding')) with lines ls 10, \
     data_a3_load using (sel('sinusoidal', 'split', 1, column('load'))):(column('residual')) with linespoints ls concatenated pt 4 ps 0.8, \
     data_a3_load using (sel('sinusoidal', 'adding', 1, column('load'))):(column('residual')) with linespoints ls added ps 0.7, \
     data_a3_load using (sel('random', 'split', 1, column('load'))):(column('residual')) with points ls concatenated pt 6 ps 1.1, \
     data_a3_load using (sel('random', 'adding', 1, column('load'))):(column('residual')):(column('low')):(column('high')) with yerrorbars ls added ps 0.8

unset label 1
eval panel(2, 3)
set ylabel ''
set ytics 0.2
set format y ''
set label 2 'V = 8 L'
set label 3 'random' at first 1.10, first 0.60 right tc rgb ink
unset label 4
unset label 6
set label 5 'sinusoids' at first 1.05, first 0.97 left tc rgb ink
plot data_a3_line using (at('ratio', 8, column('load'))):(column('adding')) with lines ls 10, \
     data_a3_line using (at('ratio', 8, column('load'))):(column('split')) with lines ls 10, \
     data_a3_load using (sel('sinusoidal', 'split', 8, column('load'))):(column('residual')) with linespoints ls concatenated pt 4 ps 0.8, \
     data_a3_load using (sel('sinusoidal', 'adding', 8, column('load'))):(column('residual')) with linespoints ls added ps 0.7, \
     data_a3_load using (sel('random', 'split', 8, column('load'))):(column('residual')):(column('low')):(column('high')) with yerrorbars ls concatenated pt 6 ps 0.9, \
     data_a3_load using (sel('random', 'adding', 8, column('load'))):(column('residual')):(column('low')):(column('high')) with yerrorbars ls added ps 0.8

eval panel(3, 3)
set label 2 'V = 8 L, kind by kind'
set label 3 'word–word' at first 1.30, first 1.075 left tc lt of_words
set label 4 'word–position' at first 2.35, first 0.50 left tc lt 5
set label 5 'position–position' at first 2.1, first 0.13 left tc lt of_positions
jobs = 'ww wp pp'
kind(i) = word('4 5 3', i) + 0
plot for [i = 1:3] data_a3_load using (sel('random', 'adding', 8, column('load'))):(column(word(jobs, i) . '_expected')) with lines ls 10, \
     for [i = 1:3] data_a3_load using (sel('random', 'split', 8, column('load'))):(column(word(jobs, i) . '_expected')) with lines ls 10, \
     for [i = 1:3] data_a3_load using (sel('random', 'split', 8, column('load'))):(column(word(jobs, i))) with points ls kind(i) pt 6 ps 0.9, \
     for [i = 1:3] data_a3_load using (sel('random', 'adding', 8, column('load'))):(column(word(jobs, i))) with points ls kind(i) pt 7 ps 0.8
unset multiplot
