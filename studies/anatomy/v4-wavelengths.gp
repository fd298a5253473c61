#: claim: V4
#: needs: anatomy/v4_wavelengths.csv
#: title: Wavelengths grow geometrically from 2π, and stop one step short of 2π·10,000
#: caption: Wavelength of every pair i of the sinusoidal encoding against 2i/d, T = 10,000; dashed: 2πT^(2i/d). Left, dotted: a text of
#:   512 positions, in which the pairs above turn less than once. Right, the end: the last pair has i = d/2
#:   − 1, so that 2πT (ring) would be one pair further on.
#: alt: Left: wavelengths on a logarithmic axis lie on one straight line from 2π at the first pair. Right: the last pair has
#:   {{V4.last.d16|.0f}} positions at d = 16, {{V4.last.d64|.0f}} at d = 64 and {{V4.last.d512|.0f}} at d = 512, which are
#:   {{V4.share.d16|.1%}}, {{V4.share.d64|.1%}} and {{V4.share.d512|.1%}} of 2π times 10,000.
#: text: last16 = d = 16: {{V4.share.d16|.0%}}
#: text: last64 = d = 64: {{V4.share.d64|.0%}}
#: text: last512 = d = 512: {{V4.share.d512|.1%}}
#: number: end16 = V4.last.d16
#: number: end64 = V4.last.d64
#: number: end512 = V4.last.d512
#: size: 860x430
#: phone: 340x700

unset key
belief = 2 * pi * 10000
of(d, x) = column('d') == d ? x : NaN
panel_left = phone ? 66 : 104
set multiplot

eval panel(1, 2)
set logscale y
set xlabel 'pair, as 2i/d'
set ylabel 'wavelength, positions'
set xrange [-0.02:1.04] noextend
set yrange [4:150000]
set xtics 0, 0.25
set format x '%.2g'
set ytics ('2π' 2 * pi, '10' 10, '100' 100, '1,000' 1000, '10⁴' 1e4, '2π·10⁴' belief)
set label 2 'd = 512' at 0.60, 4200 right tc lt 1
set label 3 'd = 16' at 0.15, 22 left tc lt 2 offset 0, -0.6
set label 4 '512 positions' at 1.03, 330 right tc rgb quiet font small
if (phone) { set ytics ('2π' 2 * pi, '100' 100, '1,000' 1000, '10⁴' 1e4, '2π·10⁴' belief) }
plot 512 with lines ls 11, \
     data_v4_wavelengths using (of(512, column('place'))):(column('line')) with lines ls 10, \
     data_v4_wavelengths using (of(512, column('place'))):(column('wavelength')) with lines ls 1 lw 2, \
     data_v4_wavelengths using (of(16, column('place'))):(column('wavelength')) with points ls 2 ps 0.8, \
     '+' using (1):(belief) every ::0::0 with points ls 8 pt 6 ps 1.5 lw 1.6

unset label
unset logscale y
eval panel(2, 2)
set xlabel 'pair, as 2i/d'
set ylabel 'wavelength, positions'
set xrange [0.842:1.035] noextend
set yrange [10000:69000]
set xtics 0.85, (phone ? 0.1 : 0.05)
set format x '%.2f'
set ytics ('10,000' 10000, '20,000' 20000, '30,000' 30000, '40,000' 40000, '50,000' 50000, '60,000' 60000)
set label 2 last16 at 0.882, 19000 left tc lt 2
set label 3 last64 at 0.961, end64 - 2200 right tc lt 3 offset 0, 0.6
set label 4 last512 at 0.983, end512 - 3500 right tc lt 1
set label 5 '2πT: no pair' at 1.031, 66500 right tc rgb ink
plot belief with lines ls 11, \
     data_v4_wavelengths using (of(512, column('place'))):(column('line')) with lines ls 10, \
     data_v4_wavelengths using (of(512, column('place'))):(column('wavelength')) with points ls 1 ps 0.5, \
     data_v4_wavelengths using (of(64, column('place'))):(column('wavelength')) with points ls 3 ps 1.2, \
     data_v4_wavelengths using (of(16, column('place'))):(column('wavelength')) with points ls 2 ps 1.1, \
     '+' using (1):(belief) every ::0::0 with points ls 8 pt 6 ps 1.5 lw 1.6
unset multiplot
