#: claim: O6
#: needs: orthogonality/o6_room.csv
#: title: Doubling 384 dimensions to 768 leaves {{O6.room_ratio|.2f}} times as many free beside 512 positions
#: caption: Left, dimensions that hold 99% of 512 sinusoidal positions and those left free, d − r₉₉; dashed: closed form. Right, smallest
#:   principal angle of 32 random word dimensions with the positions' r₉₉, mean and 99% interval over draws; dashed: Johnstone. Free
#:   dimensions do not keep subspaces apart.
#: alt: Left, on logarithmic axes: the dimensions that 512 positions fill level off with the width, {{O6.r99.d384}} at 384 and
#:   {{O6.r99.d768}} at 768, so that the free ones grow faster than the width, from {{O6.free_share.d384|.0%}} to
#:   {{O6.free_share.d768|.0%}} of it. Right: the smallest principal angle with a 32-dimensional subspace grows with the width, from
#:   {{O6.largest.d384|.0deg}} at 384 to {{O6.largest.d768|.0deg}} at 768, on theory's line.
#: size: 860x430
#: phone: 340x620

set logscale x 2
set xlabel 'dimension d'
set xrange [*:*] noextend
set offsets graph 0.05, graph 0.05, 0, 0
set xtics 64, (phone ? 4 : 2)
if (phone) { panel_left = 78; set ylabel offset 1.4, 0 }
unset key
set multiplot

eval panel(1, 2)
set logscale y 2
set ylabel 'dimensions'
set yrange [16:8192]
set ytics 16, 4
set label 2 'left free' at graph 0.60, graph 0.83 right tc lt 1
set label 3 'filled by positions' at graph 0.95, graph 0.2 right tc lt 2
plot data_o6_room using (column('d')):(column('free')) with points ls 1 ps 0.9, \
     data_o6_room using (column('d')):(column('r99')) with points ls 2 ps 0.9, \
     data_o6_room using (column('d')):(column('d') - column('r99_line')) with lines ls 10, \
     data_o6_room using (column('d')):(column('r99_line')) with lines ls 10

unset label
eval panel(2, 2)
unset logscale y
set ylabel 'smallest principal angle'
if (phone) { set ylabel offset 0.6, 0 }
set yrange [0:92]
set ytics ('0°' 0, '30°' 30, '60°' 60, '90°' 90)
set label 2 '32 word dimensions' at graph 0.96, graph 0.1 right tc lt 1
plot data_o6_room using (column('d')):(degrees(column('largest'))):(degrees(column('largest_low'))):(degrees(column('largest_high'))) with yerrorbars ls 1 ps 0.9, \
     data_o6_room using (column('d')):(degrees(column('largest_theory'))) with lines ls 10
unset multiplot
