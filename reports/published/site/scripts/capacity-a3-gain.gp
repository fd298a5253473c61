#: claim: A3
#: finding: A3.gain.random.load1.ratio1
#: needs: capacity/a3_gain.csv capacity/a3_load.csv
#: title: How much noise grows when words and positions share dimensions
#: caption: Left, three orthonormal words per position in random subspaces: one over the least singular value of both together; dashed:
#:   1/√(1 − c), c the largest cosine that O4 expects; dotted: separate dimensions. Right, error of the fitted logits over that of the
#:   sums, V = L, d = 64, singular values above 10⁻⁶ of the largest. Bars: 99%.
#: alt: Left: the amplification is {{A3.worst_gain.load0p25|.1f}} at a quarter load, {{A3.worst_gain.load0p75|.1f}} at three quarters and
#:   {{A3.worst_gain.load0p9375|.0f}} at fifteen sixteenths; the dashed line says {{A3.worst_gain.load0p25.theory|.1f}},
#:   {{A3.worst_gain.load0p75.theory|.1f}} and {{A3.worst_gain.load0p9375.theory|.0f}}. Right, on a logarithmic axis: random positions
#:   amplify {{A3.gain.random.load0p5.ratio1|.1f}}-fold at half load and {{A3.gain.random.load1.ratio1|.0f}}-fold at load
#:   one, sinusoids {{A3.gain.sinusoidal.load0p5.ratio1|.0f}}-fold.
#: size: 860x420
#: phone: 340x620

sel(p, x) = (strcol('positions') eq p && column('ratio') == 1 && abs(column('cutoff') / 1e-6 - 1) < 0.1) ? x : NaN
unset key
set multiplot
set logscale y
eval panel(1, 2)
set xlabel 'load (V + L)/d'
set ylabel 'largest amplification 1/σ_{min}'
set xrange [0.2:1.02]
set yrange [0.8:40]
set xtics ('.25' 0.25, '.5' 0.5, '.75' 0.75, '1' 1)
set ytics ('1' 1, '2' 2, '5' 5, '10' 10, '20' 20)
set label 2 'sharing dimensions' at first 0.22, first 5.5 left tc rgb ink
set label 3 'separate dimensions' at first 0.98, first 1.15 right tc rgb quiet
plot data_a3_gain using (column('load')):(column('line')) with lines ls 10, \
     1 with lines ls 11, \
     data_a3_gain using (column('load')):(column('worst')):(column('low')):(column('high')) with yerrorbars ls 8 ps 0.8

unset label 1
eval panel(2, 2)
set ylabel 'noise gain of the fit'
set xrange [0.15:4.2]
set yrange [0.4:300000]
set xtics 1
set ytics ('1' 1, '10' 10, '100' 100, '1,000' 1e3, '10,000' 1e4, '100,000' 1e5)
set label 2 'sinusoids' at first 1.35, first 20000 left tc lt added
if (phone) { set label 3 'random' at first 0.3, first 50 left tc lt added } else { set label 3 'random positions' at first 1.05, first 0.6 left tc lt added }
plot 1 with lines ls 11, \
     data_a3_load using (sel('sinusoidal', column('load'))):(column('gain')) with linespoints ls added ps 0.8, \
     data_a3_load using (sel('random', column('load'))):(column('gain')) with linespoints ls added dt random pt 6 ps 0.8
unset multiplot
