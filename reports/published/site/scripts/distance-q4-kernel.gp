#: claim: Q4
#: finding: Q4.r99.given
#: needs: distance/q4_kernel.csv distance/q4_spectrum.csv
#: title: These learned positions hold 99% of their variance in {{Q4.r99.given|d}} dimensions, a sinusoid in {{Q4.r99.sinusoidal|d}}
#: caption: The given table of {{Q4.r99.given.n}} positions beside the sinusoid of its shape and, dotted, independent normal entries (mean
#:   of {{Q4.r99.gaussian.n}} draws). Left: mean product of two positions at relative distance k, over that at 0. Right: share of the
#:   centred rows' variance outside their r leading dimensions; dashed: a hundredth.
#: alt: Left: the mean product of two positions against their distance. The sinusoid's falls at once and then slowly; the given table's
#:   departs from it by up to {{Q4.kernel_departure|.2f}}, at distance {{Q4.kernel_departure_lag|d}}; that of independent rows is 0.
#:   Right, on logarithmic axes: the variance outside the leading dimensions falls to a hundredth at {{Q4.r99.given|d}} dimensions for the
#:   given table, {{Q4.r99.sinusoidal|d}} for the sinusoid and {{Q4.r99.gaussian|.0f}} for independent entries.
#: number: own = Q4.r99.given
#: number: wave = Q4.r99.sinusoidal
#: number: chance = Q4.r99.gaussian
#: size: 860x430
#: phone: 340x640

stats data_q4_kernel using (column('lag')) nooutput
last = STATS_max
stats data_q4_kernel using (column('given')) nooutput
lowest = STATS_min
unset key
set multiplot

eval panel(1, 2)
set xlabel 'relative distance k'
set ylabel 'mean product, over that at 0'
set xrange [0:last + 1] noextend
set yrange [(lowest < 0 ? 1.15 * lowest : 0) - 0.05:1.02] noextend
set label 2 'given' at graph 0.97, graph 0.93 right tc lt 2
set label 3 'sinusoid' at graph 0.97, graph 0.855 right tc lt 1
set label 4 'independent entries' at graph 0.97, graph 0.78 right tc rgb quiet
plot data_q4_kernel every (phone ? 32 : 16) using (column('lag') > 0 ? column('lag') : NaN):(column('gaussian')) with lines ls 11, \
     data_q4_kernel every (phone ? 2 : 1) using (column('lag')):(column('sinusoidal')) with lines ls 1, \
     data_q4_kernel every (phone ? 6 : 2) using (column('lag')):(column('given')) with lines ls 2

unset label
eval panel(2, 2)
set logscale xy
set xlabel 'leading dimensions r'
set ylabel (phone ? 'variance outside them' : 'share of the variance outside them')
set xrange [1:last + 1] noextend
set yrange [1e-4:1.3] noextend
set xtics ('1' 1, '10' 10, '100' 100, '1,000' 1000, '10,000' 10000)
set ytics ('1' 1, '10%%' 0.1, '1%%' 0.01, '.1%%' 0.001, '.01%%' 0.0001)
set label 2 sprintf('%d', own) at own, 0.01 offset character -0.6, -0.7 right tc lt 2
set label 3 sprintf('%d', wave) at wave, 0.01 offset character -0.6, -0.7 right tc lt 1
set label 4 sprintf('%.0f', chance) at chance, 0.01 offset character -0.3, -1.4 right tc rgb quiet
some(y) = y > 0.5e-4 && (column('dimensions') < 64 || int(column('dimensions')) % (phone ? 6 : 2) == 0) ? y : NaN
plot 0.01 with lines ls 10, \
     data_q4_spectrum using (column('dimensions')):(some(column('gaussian'))) with lines ls 11, \
     data_q4_spectrum using (column('dimensions')):(some(column('sinusoidal'))) with lines ls 1, \
     data_q4_spectrum using (column('dimensions')):(some(column('given'))) with lines ls 2
unset multiplot
