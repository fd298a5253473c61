#: claim: V3
#: needs: anatomy/v3_planes.csv anatomy/v3_reach.csv
#: title: Word + position lies on a circle around the word; in 16 dimensions few words are as near
#: caption: Three planes of the sinusoidal encoding of 512 dimensions: Gaussian words of unit variance (grey), one more (diamond), and its
#:   sums with positions 0 to 15. Last panel: share of pairs of words that are nearer to one another in k dimensions than a position moves
#:   a word there, √(k/2); 99% intervals; dashed: exact.
#: alt: Three panels show a cloud of words and a unit circle around one: in the plane of the fastest pair 16 sums spread all around it, in
#:   that of pair 64 over a quarter, in that of the last they are one point straight above the word. Fourth: the share of other words
#:   within reach is {{V3.inside.k2|.1%}} in 2 dimensions, {{V3.inside.k8|.1%}} in 8 and {{V3.inside.k32|.1%}} in 32.
#: text: reach = {{V3.inside.k2|.0%}} of pairs
#: size: 860x860
#: phone: 340x1240

# Where no pair was found at k = 16 or 32: the upper end of the interval, from which an arrow will point down.
array unseen[2]
do for [i = 1:2] {
  stats data_v3_reach using (column('k') == 8 * 2 ** i && column('share') == 0 ? column('high') : 0) nooutput
  unseen[i] = STATS_max
}
unset key
set multiplot
in(i, name, x) = (column('pair') == i && strcol('kind') eq name) ? x : NaN
pairs = '0 64 255'
beside = phone ? 0.33 : 0.2
cloud = dark ? 0x59636e : 0xafb8c1
do for [i = 1:3] {
  pair = int(word(pairs, i))
  left = i == 2 ? 0.575 : 0.075
  top = i == 3 ? 0.455 : 0.905
  set lmargin at screen left
  set rmargin at screen left + 0.40
  set tmargin at screen top
  set bmargin at screen top - 0.375
  if (phone) { eval panel(i, 4) }
  set size ratio -1
  set xrange [-2.75:2.75] noextend
  set yrange [-2.55:2.6] noextend
  set xtics -2, 1
  set ytics -2, 1
  set format '%g'
  set xlabel sprintf('dimension %d', 2 * pair) offset 0, 0.4
  set ylabel sprintf('dimension %d', 2 * pair + 1) offset 1, 0
  stats data_v3_planes using (in(pair, 'chosen', column('x'))) nooutput
  x0 = STATS_min
  stats data_v3_planes using (in(pair, 'chosen', column('y'))) nooutput
  y0 = STATS_min
  if (i > 1) { unset label 1 }
  set label 2 sprintf('pair %d', pair) at graph 0.02, graph 0.965 left tc rgb ink font ',13'
  set label 3 i == 1 ? 'sums all around the word' : i == 2 ? 'sums over a quarter' : 'sums at one point' at graph 0.98, graph 0.965 right tc lt 2 font small
  named(t) = i == 1 ? t < 7 : i == 2 ? t % 5 == 0 : t == 0
  name(t) = i == 3 ? '0–15' : sprintf('%d', t)
  # Of the sums alone: the chosen word itself has none, and gnuplot 6 complains of atan2(0, 0).
  angle(x, y) = strcol('kind') eq 'sum' ? atan2(y - y0, x - x0) : NaN
  set parametric
  set samples (phone ? 60 : 80)
  set trange [0:2 * pi]
  plot data_v3_planes every (phone ? 3 : 1) using (in(pair, 'word', column('x'))):(column('y')) with points pt 7 ps 0.35 lc rgb cloud, \
       x0 + cos(t), y0 + sin(t) with lines ls 10 lw 1.4, \
       data_v3_planes using (x0):(y0):(in(pair, 'sum', column('x')) - x0):(column('y') - y0) with vectors nohead lw 0.7 lc rgb quiet, \
       data_v3_planes using (in(pair, 'sum', column('x'))):(column('y')) with points ls 2 pt 7 ps 0.55, \
       data_v3_planes using (named(int(column('position'))) ? in(pair, 'sum', column('x')) + beside * cos(angle(column('x'), column('y'))) : NaN):(column('y') + beside * sin(angle(column('x'), column('y')))):(name(int(column('position')))) with labels font small tc rgb ink, \
       data_v3_planes using (in(pair, 'chosen', column('x'))):(column('y')) with points ls 1 pt 13 ps 1.2
  unset parametric
}
unset label
set size noratio
set lmargin at screen 0.595
set rmargin at screen 0.965
set tmargin at screen 0.44
set bmargin at screen 0.085
if (phone) { eval panel(4, 4) }
set logscale xy
set xlabel 'dimensions k that are looked at'
set ylabel 'other words within reach'
set xrange [1.6:80] noextend
set yrange [2e-5:1]
set xtics ('2' 2, '4' 4, '8' 8, '16' 16, '32' 32, '64' 64)
set ytics ('100%%' 1, '10%%' 0.1, '1%%' 0.01, '.1%%' 0.001, '.01%%' 1e-4)
set label 2 reach at 2.5, 0.32 left tc lt 1
do for [i = 1:2] {
  if (unseen[i] > 0) {
    k = 8 * 2 ** i
    set arrow i from k, unseen[i] to k, 0.1 * unseen[i] head filled size screen 0.012, 25 ls 1 lw 1.6
    set label 3 + i 'none found' at k, 2.4 * unseen[i] center tc rgb quiet font small
  }
}
found(x) = column('share') > 0 ? x : NaN
plot data_v3_reach using (column('k')):(column('line') > 1e-7 ? column('line') : NaN) with lines ls 10, \
     data_v3_reach using (found(column('k'))):(column('share')):(column('low')):(column('high')) with yerrorbars ls 1 ps 0.9
unset multiplot
