#: claim: O6
#: needs: orthogonality/o6_room.csv
#: title: Doubling 384 dimensions to 768 gives {{O6.room_ratio|.2f}} times the room beside 512 positions
#: caption: Left, the dimensions that hold 99% of 512 sinusoidal positions and those that they leave free, d − r₉₉; dashed:
#:   the closed form. Right, largest principal cosine of a random 32-dimensional word subspace with the positions'
#:   r₉₉ dimensions: mean and {{O6.largest.d384.level|.0%}} interval over {{O6.largest.d384.n}} draws; dashed: Johnstone's
#:   approximation. A free dimension is no closed door: subspaces still come near each other.
#: alt: Left, on logarithmic axes: the dimensions that 512 positions fill level off with the width, {{O6.r99.d384}} at 384 and
#:   {{O6.r99.d768}} at 768, so that the free ones grow faster than the width, from {{O6.free_share.d384|.0%}} to
#:   {{O6.free_share.d768|.0%}} of it. Right: the largest principal cosine with a 32-dimensional subspace falls with the
#:   width, from {{O6.largest.d384|.2f}} at 384 to {{O6.largest.d768|.2f}} at 768, on theory's line.
#: size: 860x430

set logscale x 2
set xlabel 'dimension d'
set xrange [*:*] noextend
set offsets graph 0.05, graph 0.05, 0, 0
set xtics 64, 2
unset key
set multiplot
set tmargin at screen 0.86

set lmargin at screen 0.105
set rmargin at screen 0.48
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
set lmargin at screen 0.59
set rmargin at screen 0.97
unset logscale y
set ylabel 'largest principal cosine'
set yrange [0:1.05]
set ytics 0.2
plot data_o6_room using (column('d')):(column('largest')):(column('largest_low')):(column('largest_high')) with yerrorbars ls 1 ps 0.9, \
     data_o6_room using (column('d')):(column('largest_theory')) with lines ls 10
unset multiplot
