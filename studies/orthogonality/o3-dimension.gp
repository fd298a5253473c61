#: claim: O3
#: needs: orthogonality/o3_dimensions.csv
#: title: 512 positions fill {{O3.r99.as_is.d512.l512}} of 512 dimensions, 8,192 fill {{O3.r99.as_is.d512.l8192}}
#: caption: Dimensions that hold 99% of L sinusoidal positions of width d (T = 10,000, not centred). Dashed: closed form in L, T and d.
#:   Dotted: the width itself. Exact up to rounding.
#: alt: Dimensions that hold 99 percent of the sinusoidal positions, against their number, both logarithmic, for several widths, with the
#:   closed form through the points. The count first grows in proportion to the number of positions, whatever the width, then bends and
#:   creeps up to the width. At width 512: {{O3.r99.as_is.d512.l512}} for 512 positions, {{O3.r99.as_is.d512.l2048}} for 2,048,
#:   {{O3.r99.as_is.d512.l8192}} for 8,192.
#: phone: 340x400

widths = ''
do for [d in '128 512 2048'] {
  stats data_o3_dimensions using (column('d') == d) nooutput
  if (STATS_sum > 0) { widths = widths . ' ' . d }
}
stats data_o3_dimensions using (column('positions')) nooutput
longest = STATS_max
shortest = STATS_min

set logscale x 2
set logscale y 2
set xlabel 'positions L'
set ylabel 'dimensions that hold 99%'
set xrange [shortest / 1.3:longest * 1.3] noextend
set yrange [4:3200]
set ytics 4, 4
set xtics 16, (phone ? 16 : 4)
set format '%g'
unset key
set tmargin 3 + 1.3 * (title_lines - 1)
set rmargin 11
of(d, x) = column('d') == d && strcol('centring') eq 'as_is' ? x : NaN
do for [i = 1:words(widths)] { set label 1 + i 'd = ' . word(widths, i) at longest * 1.5, real(word(widths, i)) left tc lt i }
plot for [i = 1:words(widths)] real(word(widths, i)) with lines ls 11, \
     for [i = 1:words(widths)] data_o3_dimensions using (of(word(widths, i), column('positions'))):(column('r99')) with points ls i ps 0.9, \
     for [i = 1:words(widths)] data_o3_dimensions using (of(word(widths, i), column('positions'))):(column('r99_line')) with lines ls 10
