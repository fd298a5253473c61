#: claim: D2
#: needs: distance/d2_kernel.csv distance/d2_nearness.csv
#: title: Similarity falls with the logarithm of relative distance, up to a first rise at {{D2.first_rise.d512}} (d = 512)
#: caption: Left, g(k)/g(0) of sinusoidal positions, T = 10,000; bands: least to most within an eighth of k; rings: where similarity first
#:   rises. Dashed: d → ∞, (Ci(k) − Ci(k/T))/ln T. Dotted: 1 − (γ + ln k)/ln T. Right, first rise by width and base; dashed: 1/√((2 ln
#:   T/d)² + 12/T²), never undercut. Exact up to rounding.
#: alt: Left: similarity against distance on a logarithmic axis. Curves for widths 64, 512 and 4,096 follow one straight line down, then
#:   break into ripples, the narrow ones earlier and larger; first rises at distances {{D2.first_rise.d64}}, {{D2.first_rise.d512}} and
#:   {{D2.first_rise.d4096}}. Right: the distance of the first rise grows with the width, for a small base only up to a ceiling.
#: size: 860x450
#: phone: 340x720

# The quick preset measures one base.
bases = ''
symbols = ''
do for [i = 1:3] {
  stats data_d2_nearness using (column('base') == real(word('100 10000 1000000', i))) nooutput
  if (STATS_sum > 0) { bases = bases . ' ' . word('100 10000 1000000', i); symbols = symbols . ' ' . word('5 1 4', i) }
}
set logscale x
set xlabel 'relative distance k'
set ylabel 'similarity g(k)/g(0)'
set xrange [1:2e5] noextend
set yrange [-0.4:1.05]
set ytics 0.2
set format y '%.1f'
set xtics ('1' 1, '10' 10, '100' 100, '1,000' 1000, '10⁴' 1e4, '10⁵' 1e5)
unset key
widths = '64 512 4096'
of(d, x) = (column('d') == d && column('base') == 10000) ? x : NaN
base(t, x) = column('base') == t ? x : NaN
style_of(i) = word('2 1 3', i) + 0
set multiplot

eval panel(1, 2)
side = phone ? 'left' : 'right'  # of their curves
set label 2 'd = 64' at (phone ? 8 : 4.5), (phone ? 0.78 : 0.63) @side tc lt 2
set label 3 'd = 512' at (phone ? 80 : 36), (phone ? 0.57 : 0.43) @side tc lt 1
set label 5 'rings: first rise' at 1.4, -0.32 left tc rgb quiet
set label 4 'd = 4,096' at (phone ? 420 : 190), (phone ? 0.4 : 0.20) @side tc lt 3
plot for [i = 1:3] data_d2_kernel using (of(word(widths, i), column('lag'))):(column('least')):(column('most')) with filledcurves fs solid interval_fill ls style_of(i), \
     for [i = 1:3] data_d2_kernel using (of(word(widths, i), column('lag') < 40 ? column('lag') : NaN)):(column('share')) with lines ls style_of(i) lw 1.6, \
     data_d2_kernel using (of(512, column('lag'))):(column('log_line')) with lines ls 11, \
     data_d2_kernel using (of(512, column('lag'))):(column('limit')) with lines ls 10, \
     for [i = 1:3] data_d2_nearness using (of(word(widths, i), column('rise'))):(column('rise_share')) with points ls style_of(i) pt 6 ps 2 lw 2.5

unset label 1
unset label 2
unset label 3
unset label 4
unset label 5
eval panel(2, 2)
set logscale x 2
set logscale y
set xlabel 'dimension d'
set ylabel 'first rise at'
set xrange [50:5200] noextend
set yrange [2:400]
set xtics 64, 4
set xtics add ('1,024' 1024, '4,096' 4096)
set format '%g'
set ytics ('2' 2, '5' 5, '10' 10, '20' 20, '50' 50, '100' 100, '200' 200)
if (words(bases) == 3) {
  set label 2 'T = 100' at 4300, 22 right tc lt 5
  set label 4 'T = 10⁶' at 4300, 58 right tc lt 4
}
set label 3 'T = 10⁴' at 1400, 180 right tc lt 1
mark(i) = word(symbols, i) + 0
plot for [i = 1:words(bases)] data_d2_nearness using (base(word(bases, i), column('d'))):(column('rise_estimate')) with lines ls 10, \
     for [i = 1:words(bases)] data_d2_nearness using (base(word(bases, i), column('d'))):(column('rise')) with points ls mark(i) ps 1.35 - 0.25 * i
unset multiplot
