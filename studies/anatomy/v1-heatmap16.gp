#: claim: V1
#: needs: anatomy/v1_heatmap16.csv
#: title: A small table, number by number: sine, cosine, sine, cosine …, ever slower
#: caption: The sinusoidal encoding of 32 dimensions at 16 positions, T = 10,000, to one decimal. Pair i is dimensions 2i and 2i + 1, (sin
#:   ωt, cos ωt) with ω = T^(−2i/d). In the last {{V1.still.d32.l16}} dimensions no row differs from 0 and 1 by more than a tenth.
#: alt: Table of 16 rows and 32 columns with a colour and a number in every cell. Row 0 alternates 0 and 1. The first columns swing
#:   between −1 and 1; the last {{V1.still.d32.l16}} hardly leave 0 and 1.
#: size: 920x520

unset key
unset grid
set border 0
set xlabel 'dimension'
set ylabel 'position'
set xrange [-0.5:31.5] noextend
set yrange [15.5:-0.5] noextend
set xtics scale 0 0, 1 font small
set ytics scale 0 0, 1 font small
set tmargin at screen 0.84
set bmargin at screen 0.12
set lmargin at screen 0.065
set rmargin at screen 0.985
set palette defined (0 '#001261', 1 '#033e7d', 2 '#1e6f9d', 3 '#71a8c4', 4 '#c9dde7', 5 '#eacebd', 6 '#d39774', 7 '#be6533', 8 '#8b2706', 9 '#590008')
set cbrange [-1:1]
unset colorbox
set style fill solid 1 noborder
# Ink that stands out on its patch in both themes.
over(v) = abs(v) > 0.5 ? 0xfffffe : 0x1f2329
# ".8" for 0.84, "−.8", "1" and "0" for what rounds to them
tenths(v) = int(10 * abs(v) + 0.5)
digits(n) = n == 10 ? '1' : n == 0 ? '0' : sprintf('.%d', n)
number(v) = (v < 0 && tenths(v) > 0 ? '−' : '') . digits(tenths(v))
do for [i = 0:15] {
  set label 10 + i sprintf('i = %d', i) at 2 * i + 0.5, -0.95 center tc rgb quiet font small
}
plot data_v1_heatmap16 using (column('dimension')):(column('position')):(0.47):(0.46):(column('value')) with boxxyerror fc palette, \
     data_v1_heatmap16 using (column('dimension')):(column('position')):(number(column('value'))):(over(column('value'))) with labels tc rgb variable
