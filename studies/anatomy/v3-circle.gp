#: claim: V3
#: needs: anatomy/v3_planes.csv
#: title: In the plane of any two dimensions word + position lies on a circle around the word
#: caption: Three planes of the sinusoidal encoding of 512 dimensions: Gaussian words of unit variance (grey), one more (diamond), and its
#:   sums with positions 0 to 15.
#: alt: Three panels show a cloud of words and a unit circle around one: in the plane of the fastest pair 16 sums spread all around it, in
#:   that of pair 64 over a quarter, in that of the last they are one point straight above the word.
#: size: 900x390
#: phone: 340x960

unset key
set multiplot
in(i, name, x) = (column('pair') == i && strcol('kind') eq name) ? x : NaN
pairs = '0 64 255'
beside = phone ? 0.33 : 0.2
cloud = 0xafb8c1
do for [i = 1:3] {
  pair = int(word(pairs, i))
  eval panel(i, 3)
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
unset multiplot
