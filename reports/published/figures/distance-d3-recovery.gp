#: claim: D3
#: needs: distance/d3_recovery.csv
#: title: Fitted to 512 positions (d = 512) the shift errs by {{D3.next.d512.l512|.0%}} on the next 512, to 65,536 (d = 64)
#:   by {{D3.next.d64.l65536|.0e}}
#: caption: Relative error of the least-squares map p_t → p_{t+1} fitted to positions 0 … L − 1 of width d (base
#:   T = 10,000; singular values up to {{D3.cutoff|.0e}} of the largest left out). Left, filled: on
#:   the next L positions; open: on the positions of the fit, never above {{D3.inside_largest|.0e}}. Right: far away, on
#:   positions from 10⁵ to 10⁶; dashed: √(1 − r/d), r the singular values kept. Up to 1,024 positions outside each fit. Exact
#:   up to rounding: nothing is drawn at random, so there are no intervals.
#: alt: Left, on logarithmic axes: the error of the fitted shift map against the number of positions. On the positions of
#:   the fit it is rounding for every width. On the next ones it falls to rounding at width 16, and at width 64 only from
#:   tens of thousands of positions on; at width 256 it never does; at width 512 with 512 positions it
#:   is {{D3.next.d512.l512|.0%}}. Right: far away the error follows the square root of the share of directions that the
#:   data do not determine, {{D3.far.d512.l512|.0%}} at width 512.
#: size: 860x430

stats data_d3_recovery using (column('positions')) nooutput
longest = STATS_max
set logscale x 2
set xlabel 'positions L of the fit'
set xrange [24:longest * 1.4] noextend
set xtics ('32' 32, '256' 256, '2,048' 2048, '16k' 16384, '64k' 65536)
unset key
widths = '16 64 256 512'
of(d, x) = column('d') == d && column('cutoff') == 1e-12 ? x : NaN
set multiplot
set tmargin at screen 0.86

set lmargin at screen 0.105
set rmargin at screen 0.52
set logscale y
set ylabel 'relative error'
set yrange [1e-20:1e3]
set ytics ('1' 1, '10^{-4}' 1e-4, '10^{-8}' 1e-8, '10^{-12}' 1e-12)
do for [i = 1:4] { set label 1 + i 'd = ' . word(widths, i) at graph 0.02 + 0.245 * (i - 1), graph 0.965 left tc ls i }
set label 6 'filled: on the next L positions' at graph 0.02, graph 0.125 left tc rgb quiet
set label 7 'open: on the positions of the fit' at graph 0.02, graph 0.055 left tc rgb quiet
plot for [i = 1:4] data_d3_recovery using (of(word(widths, i), column('positions'))):(column('next')) with points ls i ps 0.9, \
     for [i = 1:4] data_d3_recovery using (of(word(widths, i), column('positions'))):(column('inside')) with points ls i pt 6 lw 1.2 ps 0.6

unset label
set lmargin at screen 0.605
set rmargin at screen 0.97
unset logscale y
set ylabel 'relative error far away'
set yrange [0:1.18]
set ytics 0.2
do for [i = 1:4] { set label 1 + i 'd = ' . word(widths, i) at graph 0.02 + 0.245 * (i - 1), graph 0.965 left tc ls i }
plot for [i = 1:4] data_d3_recovery using (of(word(widths, i), column('positions'))):(column('far')) with points ls i ps 0.9, \
     for [i = 1:4] data_d3_recovery using (of(word(widths, i), column('positions'))):(column('far_line')) with lines ls 10
unset multiplot
