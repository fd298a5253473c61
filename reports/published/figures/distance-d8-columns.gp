#: claim: D8
#: needs: distance/d8_pairs.csv distance/d8_line.csv distance/d8_share.csv
#: title: Frequencies a few turns apart have orthogonal columns: {{D8.share.d512.l512|.0%}} of the pairs at L = d = 512
#: caption: Left, every pair of frequencies of the sinusoid of width 64 (base T = 10,000) over L positions: dots, the
#:   overlap |Σ exp(iΔt)|/L from the columns' products; crosses, the largest |cosine| among the four pairs of their columns.
#:   Dashed: |sin(LΔ/2)/(L sin(Δ/2))| and its envelope 1/(L sin(Δ/2)); dotted: the tenth that counts as nearly
#:   orthogonal. Right, share of all pairs of columns below it, widths 64 and 512; dotted: the same for random
#:   columns. Exact up to rounding: nothing is drawn at random, so there are no intervals.
#: alt: Left, on logarithmic axes: the overlap of two frequencies against their spacing in turns over all positions. It is 1
#:   below a tenth of a turn, falls to zero at one turn and ripples under an envelope of one over pi times the turns; points
#:   for 64, 512 and 8,192 positions lie on one line. Right: the share of nearly orthogonal pairs of columns grows with the
#:   number of positions, at width 512 from {{D8.share.d512.l64|.0%}} at 64 to {{D8.share.d512.l512|.0%}} at 512 and
#:   {{D8.share.d512.l8192|.0%}} at 8,192, hardly depends on the width, and stays below that of random columns.
#: size: 860x430

stats data_d8_share using (column('positions')) nooutput
lengths = '64 512 8192'
shown = '64 512 8,192'
unset key
set multiplot
set tmargin at screen 0.86

set lmargin at screen 0.105
set rmargin at screen 0.545
set logscale xy
set xlabel 'spacing of two frequencies, turns over L positions (LΔ/2π)'
set ylabel 'overlap'
set xrange [0.01:1500] noextend
set yrange [1e-4:2]
set xtics ('.01' 0.01, '.1' 0.1, '1' 1, '10' 10, '100' 100, '1,000' 1000)
set ytics ('1' 1, '.1' 0.1, '.01' 0.01, '.001' 0.001, '.0001' 0.0001)
do for [i = 1:3] { set label 1 + i 'L = ' . word(shown, i) at graph 0.04, graph 0.40 - 0.075 * i left tc ls i }
plot 0.1 with lines ls 11, \
     for [i = 3:1:-1] data_d8_pairs using (at('positions', word(lengths, i), column('turns'))):(column('largest')) with points ls i pt 2 lw 0.8 ps 0.3, \
     for [i = 3:1:-1] data_d8_pairs using (at('positions', word(lengths, i), column('turns'))):(column('overlap')) with points ls i pt 7 ps 0.4, \
     data_d8_line using (column('turns')):(column('overlap')) with lines ls 10, \
     data_d8_line using (column('turns')):(column('envelope')) with lines ls 10

unset label
set lmargin at screen 0.675
set rmargin at screen 0.97
unset logscale
set logscale x 2
set xlabel 'positions L'
set ylabel 'pairs of columns with |cosine| < .1'
set xrange [50:STATS_max * 1.25] noextend
set yrange [0:1.14]
set xtics ('64' 64, '256' 256, '1,024' 1024, '4,096' 4096, '16k' 16384, '64k' 65536)
set ytics ('0' 0, '20 %%' 0.2, '40 %%' 0.4, '60 %%' 0.6, '80 %%' 0.8, '100 %%' 1)
widths = '64 512'
colours = '4 5'
do for [i = 1:2] { set label 1 + i 'd = ' . word(widths, i) at graph 0.96, graph 0.30 - 0.075 * i right tc ls (word(colours, i) + 0) }
set label 6 'random columns' at graph 0.96, first 1.06 right tc rgb quiet
plot data_d8_share using (at('d', 64, column('positions'))):(column('chance')) with lines ls 11, \
     for [i = 1:2] data_d8_share using (at('d', word(widths, i), column('positions'))):(column('share')) with linespoints ls (word(colours, i) + 0) ps 0.9
unset multiplot
