#: claim: V1
#: needs: anatomy/v1_heatmap16.csv
#: title: The small table, every number of it: in each row sine, cosine, sine, cosine …, ever slower
#: caption: The sinusoid of 32 dimensions at 16 positions, T = 10,000, to two decimals; a leading point stands for 0 before it. Pair i is
#:   dimensions 2i and 2i + 1, (sin ω t, cos ω t) with ω = T^(−2i/d). Row 0 is sin 0 = 0 and cos 0 = 1 throughout. In the last
#:   {{V1.still.d32.l16}} dimensions no row differs from that by more than .1; the slowest sine has reached {{V1.slowest_sine.d32.l16|.4f}}.
#: alt: Table of 16 rows and 32 columns with a colour and a number in every cell. Row 0 alternates 0 and 1. The first columns
#:   swing between −1 and 1; the last {{V1.still.d32.l16}} hardly leave 0 and 1, the slowest sine ends at {{V1.slowest_sine.d32.l16|.4f}}.
#: size: 1060x520

unset key
unset grid
set border 0
set xlabel 'dimension'
set ylabel 'position'
set xrange [-0.5:31.5] noextend
set yrange [15.5:-0.5] noextend
set xtics scale 0 0, 1 font ',11'
set ytics scale 0 0, 1 font ',11'
set tmargin at screen 0.84
set bmargin at screen 0.12
set lmargin at screen 0.065
set rmargin at screen 0.985
if (dark) {
  set palette defined (0 '#9eb0ff', 1 '#5ba4db', 2 '#2d7597', 3 '#1a4256', 4 '#11191e', 5 '#280d01', 6 '#501802', 7 '#8a3f2a', 8 '#c4756a', 9 '#ffadad')
} else {
  set palette defined (0 '#001261', 1 '#033e7d', 2 '#1e6f9d', 3 '#71a8c4', 4 '#c9dde7', 5 '#eacebd', 6 '#d39774', 7 '#be6533', 8 '#8b2706', 9 '#590008')
}
set cbrange [-1:1]
unset colorbox
set style fill solid 1 noborder
# Ink that stands out: light on the dark ends of the light map, dark on the light ends of the dark one.
over(v) = abs(v) > (dark ? 0.62 : 0.5) ? (dark ? 0x0d1117 : 0xffffff) : (dark ? 0xe6edf3 : 0x1f2328)
# ".84" for 0.84, "−.84", "1" and "0" for what rounds to them
hundredths(v) = int(100 * abs(v) + 0.5)
digits(n) = n == 100 ? '1' : n == 0 ? '0' : sprintf('.%02d', n)
number(v) = (v < 0 && hundredths(v) > 0 ? '−' : '') . digits(hundredths(v))
do for [i = 0:15] {
  set label 10 + i sprintf('i = %d', i) at 2 * i + 0.5, -0.95 center tc rgb quiet font ',10'
}
plot data_v1_heatmap16 using (column('dimension')):(column('position')):(0.47):(0.46):(column('value')) with boxxyerror fc palette, \
     data_v1_heatmap16 using (column('dimension')):(column('position')):(number(column('value'))):(over(column('value'))) with labels font ',10' tc rgb variable
