#: claim: D5
#: needs: distance/d5_growth.csv
#: title: An index scatters its neighbours' scores; the sinusoid gives neighbours one number
#: caption: Left, the score p_t·p_(t+1) of two neighbours against the length of the text, d = 64. Each filled area reaches from
#:   the second pair of the text (positions 1 and 2) to the last: an index spreads its neighbours' scores, and over the
#:   length it moves them too. The sinusoid is a line: all places and lengths within {{D5.neighbour_spread.sinusoidal|.1e}}
#:   of the score. Dashed, under its points: Σ cos ω_i. Right, the largest norm of a position in the text. Drawn encodings: the
#:   first of {{D5.norm_ratio.random.n}} draws. No intervals: every place of each table is counted.
#: alt: Left, on logarithmic axes, scores of neighbours against the length of the text. Those of the index fan out from 2 to
#:   the square of the length, those of the index over the length from 1 down to 2 over its square; the sinusoid's are
#:   one flat line. Right, norms: the index grows {{D5.norm_ratio.index}}-fold, the others stay.
#: size: 860x430

kernel = sum [i = 0:31] cos(10000 ** (-2.0 * i / 64))
stats data_d5_growth using (column('positions')) nooutput
longest = STATS_max

set logscale xy
set xlabel 'length of the text'
set format x '10^{%T}'
set format y '10^{%T}'
set xrange [4:longest] noextend
unset key
set multiplot
set tmargin at screen 0.86
own(name, x) = column('draw') == 0 ? pick('encoding', name, x) : NaN

set lmargin at screen 0.105
set rmargin at screen 0.48
set ylabel 'score of two neighbours'
set yrange [1e-10:1e11]
set ytics 1e3
set label 2 'index' at graph 0.48, graph 0.82 center tc ls 2
set label 3 'index over length' at graph 0.05, graph 0.2 left tc ls 3
set label 4 'sinusoid' at graph 0.97, graph 0.58 right tc ls 1
plot data_d5_growth using (own('index', column('positions'))):(column('first')):(column('last')) with filledcurves fs solid interval_fill ls 2, \
     data_d5_growth using (own('normalised_index', column('positions'))):(column('first')):(column('last')) with filledcurves fs solid interval_fill ls 3, \
     data_d5_growth using (own('index', column('positions'))):(column('last')) with linespoints ls 2, \
     data_d5_growth using (own('index', column('positions'))):(column('first')) with linespoints ls 2, \
     data_d5_growth using (own('normalised_index', column('positions'))):(column('last')) with linespoints ls 3, \
     data_d5_growth using (own('normalised_index', column('positions'))):(column('first')) with linespoints ls 3, \
     data_d5_growth using (own('sinusoidal', column('positions'))):(column('first')) with linespoints ls 1, \
     data_d5_growth using (own('sinusoidal', column('positions'))):(column('last')) with points ls 1, \
     kernel with lines ls 10

unset label
set lmargin at screen 0.59
set rmargin at screen 0.97
set ylabel 'largest norm of a position'
set yrange [0.3:2e5]
set ytics 10
set label 2 'index' at graph 0.62, graph 0.72 right tc ls 2
set label 3 'index over length' at graph 0.97, graph 0.045 right tc ls 3
set label 4 'random' at graph 0.05, graph 0.305 left tc ls 4
set label 5 'sines alone' at graph 0.05, graph 0.145 left tc ls 5
set label 6 'sinusoid, random Fourier' at graph 0.97, graph 0.165 right tc ls 1
plot data_d5_growth using (own('index', column('positions'))):(column('norm')) with linespoints ls 2, \
     data_d5_growth using (own('normalised_index', column('positions'))):(column('norm')) with linespoints ls 3, \
     data_d5_growth using (own('random', column('positions'))):(column('norm')) with linespoints ls 4, \
     data_d5_growth using (own('sine_only', column('positions'))):(column('norm')) with linespoints ls 5, \
     data_d5_growth using (own('random_fourier', column('positions'))):(column('norm')) with linespoints ls 6, \
     data_d5_growth using (own('sinusoidal', column('positions'))):(column('norm')) with linespoints ls 1
unset multiplot
