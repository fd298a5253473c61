#: claim: D5
#: needs: distance/d5_growth.csv
#: title: An index scatters its neighbours' scores; sinusoid, turns and biases give neighbours one number
#: caption: Left, what is said of two neighbours against the length of the text, on logarithmic axes and without its sign:
#:   the score p_t·p_(t+1), d = 64; that of one content turned at t and t + 1 for rotary; the bias itself for ALiBi and T5. Top:
#:   each filled area reaches from the second pair of the text (positions 1 and 2) to the last: an index spreads its
#:   neighbours' scores, and over the length it moves them too. Below: one number each at all places of all lengths, to
#:   {{D5.neighbour_spread.sinusoidal|.1e}} of the score for the sinusoid, {{D5.neighbour_spread.rotary|.1e}} for rotary and to
#:   the last bit for biases. Dashed, under the sinusoid's points: Σ cos ω_i, which is also the mean of rotary's score over
#:   contents. Right, the largest norm of a position in the text, of the turned content, or the largest size of a bias;
#:   ALiBi's grows as the index does. What is drawn: the first of {{D5.norm_ratio.random.n}} draws. No intervals: every
#:   place of each text is counted.
#: alt: Left, scores of neighbours against the length of the text. Those of the index fan out from 2 to the square of the
#:   length, those of the index over the length from 1 down to 2 over its square; below, those of the sinusoid, of rotary and the biases
#:   of T5 and ALiBi are four flat lines. Right, norms: the index grows {{D5.norm_ratio.index}}-fold, ALiBi's largest
#:   bias {{D5.norm_ratio.alibi}}-fold, the others stay or nearly so.
#: size: 860x600

kernel = sum [i = 0:31] cos(10000 ** (-2.0 * i / 64))
stats data_d5_growth using (column('positions')) nooutput
longest = STATS_max
stats data_d5_growth using (column('draw') == 0 ? pick('encoding', 't5', abs(column('first'))) : NaN) nooutput
t5_bias = STATS_max

set logscale xy
set xlabel 'length of the text'
set format x '10^{%T}'
set format y '10^{%T}'
set xrange [4:longest] noextend
unset key
set multiplot
own(name, x) = column('draw') == 0 ? pick('encoding', name, x) : NaN

set lmargin at screen 0.105
set rmargin at screen 0.48
set tmargin at screen 0.9
set bmargin at screen 0.55
set xlabel ''
set format x ''
set ylabel 'score of two neighbours'
set yrange [1e-10:1e11]
set ytics 1e5
set label 2 'index' at graph 0.48, graph 0.86 center tc ls 2
set label 3 'index over length' at graph 0.05, graph 0.13 left tc ls 3
set label 4 'sinusoid' at graph 0.97, graph 0.63 right tc ls 1
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
set tmargin at screen 0.5
set bmargin at screen 0.13
set xlabel 'length of the text'
set format x '10^{%T}'
set ylabel 'score, or bias, without its sign'
set yrange [1e-2:1e3]
set ytics 10
set label 2 'sinusoid' at graph 0.97, first 75 right tc ls 1
set label 3 'rotary' at graph 0.97, first 11 right tc ls 6
set label 4 'T5, bias' at graph 0.97, first 2 * t5_bias right tc ls 7
set label 5 'ALiBi, bias' at graph 0.97, first 0.125 right tc ls 8
plot data_d5_growth using (own('rotary', column('positions'))):(column('first')) with linespoints ls 6, \
     data_d5_growth using (own('rotary', column('positions'))):(column('last')) with points ls 6, \
     data_d5_growth using (own('alibi', column('positions'))):(abs(column('first'))) with linespoints ls 8, \
     data_d5_growth using (own('alibi', column('positions'))):(abs(column('last'))) with points ls 8, \
     data_d5_growth using (own('t5', column('positions'))):(abs(column('first'))) with linespoints ls 7, \
     data_d5_growth using (own('t5', column('positions'))):(abs(column('last'))) with points ls 7, \
     data_d5_growth using (own('sinusoidal', column('positions'))):(column('first')) with linespoints ls 1, \
     data_d5_growth using (own('sinusoidal', column('positions'))):(column('last')) with points ls 1, \
     kernel with lines ls 10

unset label
set lmargin at screen 0.59
set rmargin at screen 0.97
set tmargin at screen 0.9
set ylabel 'largest norm, or largest bias'
set yrange [0.5:2e5]
set ytics 10
set label 2 'index' at graph 0.62, graph 0.72 right tc ls 2
set label 3 'index over length' at graph 0.97, first 0.75 right tc ls 3
set label 4 'random' at graph 0.97, first 12 right tc ls 4
set label 5 'sines alone' at first 170, first 4.0 left tc ls 5
set label 6 'sinusoid, rotary,' at graph 0.97, first 4.1 right tc ls 1
set label 9 'random Fourier' at graph 0.97, first 2.75 right tc ls 1
set label 7 'ALiBi, largest bias' at graph 0.97, first 60 right tc ls 8
set label 8 'T5, largest bias' at graph 0.97, first 1.3 right tc ls 7
plot data_d5_growth using (own('index', column('positions'))):(column('norm')) with linespoints ls 2, \
     data_d5_growth using (own('normalised_index', column('positions'))):(column('norm')) with linespoints ls 3, \
     data_d5_growth using (own('alibi', column('positions'))):(column('norm')) with linespoints ls 8, \
     data_d5_growth using (own('t5', column('positions'))):(column('norm')) with linespoints ls 7, \
     data_d5_growth using (own('random', column('positions'))):(column('norm')) with linespoints ls 4, \
     data_d5_growth using (own('sine_only', column('positions'))):(column('norm')) with linespoints ls 5, \
     data_d5_growth using (own('random_fourier', column('positions'))):(column('norm')) with linespoints ls 6, \
     data_d5_growth using (own('rotary', column('positions'))):(column('norm')) with linespoints ls 6, \
     data_d5_growth using (own('sinusoidal', column('positions'))):(column('norm')) with linespoints ls 1
unset multiplot
