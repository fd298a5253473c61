#: claim: A3
#: finding: A3.above_alone.full.power1
#: needs: capacity/a3_load.csv capacity/a3_line.csv capacity/a3_apart.csv
#: title: {{#verdict A3 depends}}What a sum leaves above words and positions apart depends on rank and power{{/verdict}}{{#verdict A3
#:   true|false|open|unmeasured}}What a sum leaves above words and positions apart, by rank and power{{/verdict}}
#: caption: Left and middle, independent targets, d = 64: share of the logits' squared norm that the best matrix leaves; grey, words and
#:   positions apart, each in d dimensions. Right, the difference at GPT-2's size. Dashed: closed forms. Dotted: V + L = d; right, the
#:   rule's bound. Bars: 99% intervals over draws.
#: alt: Three panels. With as many words as positions, random positions leave {{A3.residual.random.load1.ratio1|.0%}} at load one and
#:   {{A3.residual.random.load2.ratio1|.0%}} at load two; sinusoids, cutoff 10⁻⁶, {{A3.residual.sinusoidal.load0p5.ratio1|.0%}} at half
#:   load and {{A3.residual.sinusoidal.load1.ratio1|.0%}} at load one. With eight words per position random positions leave
#:   {{A3.residual.random.load2.ratio8|.0%}} at load two. Right: above what both leave apart, independent targets leave
#:   {{A3.above_alone.full.power1|.2f}} at the words' power and {{A3.above_alone.full.power64|.2f}} at 64 times; words of rank 16 with random
#:   positions {{A3.above_alone_random.power1|.2f}} and {{A3.above_alone_random.power64|.2f}}, with sinusoids
#:   {{A3.above_alone.rank16.power64|.2f}}.
#: size: 920x450
#: phone: 340x880

sel(p, r, x) = (strcol('positions') eq p && column('ratio') == r && abs(column('cutoff') / 1e-6 - 1) < 0.1) ? x : NaN
arm(r, p, x) = (strcol('rank') eq r && strcol('positions') eq p) ? x : NaN
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
set label 3 'random' at first 1.60, first 0.40 left tc lt added
set label 4 'sinusoids' at first 0.10, first 0.70 left tc lt added
set label 5 'apart' at first 2.7, first 0.22 left tc rgb quiet
plot data_a3_line using (at('ratio', 1, column('load'))):(column('adding')) with lines ls 10, \
     data_a3_line using (at('ratio', 1, column('load'))):(column('apart')) with lines ls 10, \
     data_a3_load using (sel('sinusoidal', 1, column('load'))):(column('residual')) with linespoints ls added ps 0.7, \
     data_a3_load using (sel('random', 1, column('load'))):(column('residual')):(column('low')):(column('high')) with yerrorbars ls added ps 0.8

unset label 1
eval panel(2, 3)
set ylabel ''
set ytics 0.2
if (phone) { set ytics ('0' 0, '20%%' 0.2, '40%%' 0.4, '60%%' 0.6, '80%%' 0.8, '100%%' 1) } else { set format y '' }
set label 2 'V = 8 L'
set label 3 'random' at first 2.75, first 0.64 left tc lt added
set label 4 'sinusoids' at first 1.05, first 0.97 left tc lt added
set label 5 'apart' at first 2.3, first 0.22 left tc rgb quiet
plot data_a3_line using (at('ratio', 8, column('load'))):(column('adding')) with lines ls 10, \
     data_a3_line using (at('ratio', 8, column('load'))):(column('apart')) with lines ls 10, \
     data_a3_load using (sel('sinusoidal', 8, column('load'))):(column('residual')) with linespoints ls added ps 0.7, \
     data_a3_load using (sel('random', 8, column('load'))):(column('residual')):(column('low')):(column('high')) with yerrorbars ls added ps 0.8

eval panel(3, 3)
set logscale x 4
set xrange [0.4:320] noextend
set xtics ('½' 0.5, '1' 1, '4' 4, '16' 16, '64' 64, '256' 256)
set yrange [-0.05:0.45]
set ytics ('0' 0, '.1' 0.1, '.2' 0.2, '.3' 0.3, '.4' 0.4)
set format y '%g'
set xlabel 'power of positions / words'
set arrow 1 from graph 0, first 0.1 to graph 1, first 0.1 nohead ls 11
set label 2 'GPT-2’s size: sum less apart'
set label 3 'rank 16, random positions' at first 0.55, first 0.30 left tc lt 2
set label 4 'independent' at first 0.55, first 0.165 left tc lt 1
set label 5 'rank 16, sinusoids' at first 2.4, first (phone ? -0.033 : -0.024) left tc lt 3
plot data_a3_apart using (arm('full', 'random', column('power'))):(column('above')) with lines ls 10, \
     data_a3_apart using (arm('full', 'random', column('power'))):(column('above')) with points ls 1 ps 0.9, \
     data_a3_apart using (arm('rank16', 'random', column('power'))):(column('above')) with lines ls 10, \
     data_a3_apart using (arm('rank16', 'random', column('power'))):(column('above')) with points ls 2 ps 0.9, \
     data_a3_apart using (arm('rank16', 'sinusoidal', column('power'))):(column('above')) with points ls 3 ps 0.9
unset multiplot
