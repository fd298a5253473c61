#: claim: D7
#: needs: distance/d7_bands.csv distance/d7_octaves.csv
#: title: The larger the distance, the slower the frequencies through which similarity changes
#: caption: Left, share of the squared distance ‖p_t − p_(t+k)‖² that each quarter of the frequencies carries. Right, its part in the fall
#:   of the score as relative distance doubles, (g(k) − g(2k))/g(0), mean over an octave. d = 512, T = 10,000; dashed: d → ∞. What strays
#:   at long distances are aliases of fast frequencies.
#: alt: Left: at distance 1 the fastest quarter of the frequencies carries {{D7.distance_share.q1.lag1|.0%}} of the squared distance; the
#:   second, third and fourth join one after the other, until at distances beyond 10,000 each has about a quarter. Right: the change of
#:   the score from one distance to its double comes from the first quarter at distances of a few positions, then from the second, third
#:   and fourth, each in its own range of distances.
#: size: 860x430
#: phone: 340x640

set logscale x
set format x '10^{%T}'
set xlabel 'relative distance k'
set xrange [1:65536] noextend
unset key
set multiplot
thin(x) = phone && int(column(0) / 4) % 3 ? NaN : x
band(q, x) = column('base') == 10000 && column('quarter') == q ? x : NaN

eval panel(1, 2)
set ylabel 'share of the squared distance'
set yrange [0:1.03]
set format y '%g'
set label 2 'fastest quarter' at 14, 0.93 left tc lt 1
set label 3 'second' at 150, 0.54 left tc lt 2
set label 4 'third' at 300, 0.14 left tc lt 3
set label 5 'slowest' at 3500, 0.06 left tc lt 4
plot for [q = 1:4] data_d7_bands using (thin(band(q, column('lag')))):(column('share')) with points ls q, \
     for [q = 1:4] data_d7_bands using (band(q, column('lag'))):(column('limit')) with lines ls 10

unset label
eval panel(2, 2)
set ylabel 'fall of the score from k to 2k'
set yrange [-0.06:0.15]
set label 2 'fastest quarter' at 1.3, 0.137 left tc lt 1
set label 3 'second' at 17, 0.125 center tc lt 2
set label 4 'third' at 190, 0.133 center tc lt 3
set label 5 'slowest' at 2000, 0.133 center tc lt 4
if (phone) { set label 2 'fastest' at 1.2, 0.145; set label 3 at 17, 0.13; set label 4 at 190, 0.137 }
plot for [q = 1:4] data_d7_octaves using (band(q, column('first') * sqrt(2))):(column('change')) with points ls q ps (phone ? 0.7 : 0.9), \
     for [q = 1:4] data_d7_octaves using (band(q, column('first') * sqrt(2))):(column('limit')) with lines ls 10
unset multiplot
