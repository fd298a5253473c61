#: claim: V5
#: needs: anatomy/v5_matrix.csv anatomy/v5_profile.csv
#: title: Similarity depends on relative distance alone and falls slowly, with ripples
#: caption: Left, p_t·p_s/(d/2) for all pairs of 128 positions of the sinusoidal encoding of 512 dimensions: every diagonal has one value.
#:   Right, its profile by relative distance, with those of 64 and 4,096 dimensions. Dashed: infinitely many dimensions. Rings: where
#:   similarity first rises again. Exact up to rounding.
#: alt: Left: a matrix that is brightest on its main diagonal and darkens evenly away from it, equal along every diagonal. Right:
#:   similarity at d = 512 is {{V5.share.lag1|.3f}} at distance 1, {{V5.share.lag10|.3f}} at distance 10 and {{V5.share.lag100|.3f}} at
#:   distance 100, follows the dashed line of infinite width, and first rises after distance {{V5.rise.d512}}; at d = 64 it ripples from
#:   distance {{V5.rise.d64}} on.
#: text: far = {{V5.share.lag127|.2f}}
#: number: last = V5.share.lag127
#: number: rise64 = V5.rise.d64
#: number: rise512 = V5.rise.d512
#: number: rise4096 = V5.rise.d4096
#: size: 860x440
#: phone: 340x700

widths = '64 4096 512'
of(d, x) = column('d') == d ? x : NaN
styles = '2 3 1'
style_of(i) = word(styles, i) + 0
array rise[3] = [rise64, rise4096, rise512]
array height[3]
do for [i = 1:3] {
  stats data_v5_profile using (column('d') == word(widths, i) && column('lag') == rise[i] ? column('share') : NaN) nooutput
  height[i] = STATS_min
}
unset key
set multiplot
set tmargin at screen 0.855
set bmargin at screen 0.15

set lmargin at screen 0.075
set rmargin at screen 0.435
unset grid
set border 0
set xlabel 'position s'
set ylabel 'position t'
set xrange [-0.5:127.5] noextend
set yrange [127.5:-0.5] noextend
set xtics ('0' 0, '32' 32, '64' 64, '96' 96, '127' 127)
set ytics ('0' 0, '32' 32, '64' 64, '96' 96, '127' 127)
# Viridis (van der Walt and Smith 2015): nothing here is below 0. From the least similarity shown to 1.
set palette defined (0 '#440154', 1 '#472d7b', 2 '#3b528b', 3 '#2c728e', 4 '#21918c', 5 '#28ae80', \
                     6 '#5ec962', 7 '#addc30', 8 '#fde725')
set cbrange [last:1]
unset colorbox
set style fill solid 1 noborder
unset datafile columnheaders
if (phone) { eval panel(1, 2); set rmargin at screen 0.82 }
plot data_v5_matrix skip 1 matrix every 1:1:1:0 using ($1 - 1):2:3 with image

set datafile columnheaders
unset label
set border 3
set grid
set lmargin at screen 0.61
set rmargin at screen 0.97
if (phone) { eval panel(2, 2) }
set xlabel 'relative distance k'
set ylabel 'similarity g(k)/g(0)'
set logscale x
set xrange [1:511] noextend
set yrange [-0.06:1.03]
set xtics ('1' 1, '10' 10, '100' 100, '127' 127 1, '511' 511)
set ytics 0, 0.2
set format y '%.1f'
set arrow 1 from 127, graph 0 to 127, last nohead ls 11
set label 2 'd = 64' at 19, 0.46 right tc lt 2
set label 3 'd = 512: on the dashed line' at 6.5, 0.82 left tc lt 1
set label 4 'd = 4,096: beneath it' at 6.5, 0.89 left tc lt 3
set label 5 'rings: first rise' at 1.15, 0.09 left tc rgb quiet font small
set label 6 'distance 127: '.far at 120, 0.02 right tc rgb quiet font small
some(k) = k > 0 && (k < 64 || k > 508 || int(k) % 4 == 0) ? k : NaN
plot for [i = 1:3] data_v5_profile using (of(word(widths, i) + 0, i == 2 ? some(column('lag')) : column('lag') > 0 ? column('lag') : NaN)):(column('share')) with lines ls style_of(i) lw (i == 2 ? 3.5 : 1.6), \
     data_v5_profile using (of(512, some(column('lag')))):(column('limit')) with lines ls 10, \
     for [i = 1:3] '+' using (rise[i]):(height[i]) every ::0::0 with points ls style_of(i) pt 6 ps 1.8 lw 2.2
unset label
if (phone) { eval colour_bar(0.84, 0.62, 0.035, 0.2, last, 1, '0.1') } else { eval colour_bar(0.447, 0.15, 0.018, 0.705, last, 1, '0.1') }
unset multiplot
