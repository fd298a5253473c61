#: claim: D3
#: needs: distance/d3_recovery.csv
#: title: A shift fitted to 512 positions fails on the next ones unless the width is small
#: caption: Relative error of the least-squares map p_t → p_{t+1}, fitted to positions 0 … L − 1 of width d (base 10,000; singular values up to
#:   {{D3.cutoff|.0e}} of the largest left out), on the next L positions. Dotted: on the positions of the fit, d = 64; at most
#:   {{D3.inside_largest|.0e}} anywhere. Exact up to rounding.
#: alt: Error of the fitted shift map on the next positions against the number of positions, both logarithmic. At width 16 it falls to rounding
#:   from 256 positions on, at width 64 only from tens of thousands on, to {{D3.next.d64.l65536|.0e}} at 65,536; at width 256 it stays above a half. At width
#:   512 with 512 positions it is {{D3.next.d512.l512|.0%}}. On the positions of the fit it is rounding for every width.
#: size: 760x420
#: phone: 340x400

widths = '16 64 256 512'
of(d, x) = column('d') == d && column('cutoff') == 1e-12 ? x : NaN
set logscale xy
set xlabel 'positions L of the fit'
set ylabel 'relative error'
set xrange [26:240000] noextend
set xtics ('32' 32, '256' 256, '2,048' 2048, '16,384' 16384, '65,536' 65536)
set yrange [1e-16:20] noextend
set ytics ('1' 1, '10^{−4}' 1e-4, '10^{−8}' 1e-8, '10^{−12}' 1e-12, '10^{−16}' 1e-16)
unset key
set tmargin 3 + 1.3 * (title_lines - 1)
set label 2 'd = 16' at 80000, 1e-13 left tc lt 1
set label 3 'd = 64' at 80000, 1.3e-12 left tc lt 2
set label 4 'd = 256' at 10000, 0.5 left tc lt 3
set label 5 'd = 512' at 2600, 4 left tc lt 4
set label 6 'on the positions of the fit' at 28, 1.6e-15 left tc rgb quiet
if (phone) {
  set xrange [26:3e6] noextend; set yrange [1e-18:1e3] noextend; set label 6 at 30, 1e-17
  set xtics ('32' 32, '1,024' 1024, '32,768' 32768)
  set label 2 at 1.5e5, 1e-14; set label 3 at 1.5e5, 3e-12; set label 4 at 25000, 0.5; set label 5 at 700, 100
}
plot data_d3_recovery using (of(64, column('positions'))):(column('inside')) with lines ls 11, \
     for [i = 1:4] data_d3_recovery using (of(word(widths, i), column('positions'))):(column('next')) with linespoints ls i lw 1.4 ps 0.9
