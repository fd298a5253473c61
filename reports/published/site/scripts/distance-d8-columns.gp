#: claim: D8
#: needs: distance/d8_share.csv
#: title: {{#verdict D8 true}}Frequencies far apart have orthogonal columns; slow ones, which turn less than once, do
#:   not{{/verdict}}{{#verdict D8 depends|false|open|unmeasured}}Which of the sinusoid's columns are orthogonal{{/verdict}}
#: caption: Left, overlap |Σ exp(i(ω_a − ω_b)t)|/L of two of the sinusoid's 256 frequencies over 512 positions, d = 512, base 10,000,
#:   drawn from its closed form. Right, share of all pairs of columns with |cosine| below a tenth; dotted: of random columns. Exact up to
#:   rounding.
#: alt: Left: a square of 256 by 256 frequencies, dark but for a thin bright diagonal among the fast ones and a bright block among the
#:   slow ones. Right: the share of nearly orthogonal pairs of columns grows with the number of positions, at width 512 from
#:   {{D8.share.d512.l64|.0%}} at 64 to {{D8.share.d512.l512|.0%}} at 512 and {{D8.share.d512.l8192|.0%}} at 8,192, hardly depends on the
#:   width, and stays below that of random columns.
#: size: 860x450
#: phone: 340x680

stats data_d8_share using (column('positions')) nooutput
longest = STATS_max
omega(i) = 10000 ** (-i / 256.0)
# |sin(LΔ/2)/(L sin(Δ/2))|, L = 512
overlap(delta) = abs(delta) < 1e-9 ? 1 : abs(sin(256 * delta) / (512 * sin(delta / 2)))
unset key
set multiplot
eval panel(1, 2)
if (phone) { set rmargin at screen 0.8 } else { set rmargin at screen 0.44; set bmargin at screen 0.18 }
unset grid
set style fill solid 1 noborder
set border 0
set size ratio -1
set xlabel 'frequency number, fast to slow'
set ylabel 'frequency number'
set xrange [-0.5:255.5] noextend
set yrange [255.5:-0.5] noextend
set xtics ('0' 0, '64' 64, '128' 128, '192' 192, '255' 255)
set ytics ('0' 0, '64' 64, '128' 128, '192' 192, '255' 255)
set palette defined (0 '#440154', 1 '#472d7b', 2 '#3b528b', 3 '#2c728e', 4 '#21918c', 5 '#28ae80', \
                     6 '#5ec962', 7 '#addc30', 8 '#fde725')
set palette maxcolors 64
set cbrange [0:1]
unset colorbox
# The grid '++' is no CSV.
unset datafile columnheaders
set datafile separator whitespace
plot sample [u=0:255:(phone ? 2 : 1)] [v=0:255:(phone ? 2 : 1)] '++' using 1:2:(overlap(omega($1) - omega($2))) with image
set datafile columnheaders
set datafile separator ','

eval panel(2, 2)
if (!phone) { set lmargin at screen 0.665 }
set size noratio
set border 3
set grid
set logscale x 2
set xlabel 'positions L'
set ylabel (phone ? 'pairs with |cosine| < 0.1' : 'pairs of columns with |cosine| < 0.1')
set xrange [50:longest * 1.25] noextend
set yrange [0:1.14] noextend
set xtics ('64' 64, '256' 256, '1,024' 1024, '4,096' 4096)
set ytics ('0' 0, '20%%' 0.2, '40%%' 0.4, '60%%' 0.6, '80%%' 0.8, '100%%' 1)
widths = '64 512'
do for [i = 1:2] { set label 1 + i 'd = ' . word(widths, i) at graph 0.96, graph 0.30 - 0.075 * i right tc lt i }
set label 6 'random columns' at graph 0.96, first 1.06 right tc rgb quiet
plot data_d8_share using (at('d', 64, column('positions'))):(column('chance')) with lines ls 11, \
     for [i = 1:2] data_d8_share using (at('d', word(widths, i), column('positions'))):(column('share')) with linespoints ls i ps 0.9
unset label
if (phone) {
  set label 1 'overlap' at screen 0.97, screen 0.845 right tc rgb ink
  eval colour_bar(0.84, 0.62, 0.035, 0.2, 0, 1, '0.5')
} else {
  set label 1 'overlap' at screen 0.533, screen 0.505 center rotate by 90 tc rgb ink
  eval colour_bar(0.455, 0.28, 0.018, 0.45, 0, 1, '0.5')
}
unset multiplot
