#: claim: V2
#: needs: anatomy/v2_dials.csv
#: title: Each pair of dimensions is a clock: hands start at twelve and turn clockwise, each slower
#: caption: Six of the 256 pairs of the sinusoidal encoding of 512 dimensions: sine across, cosine up; dots: positions 0 to 12; hand:
#:   position 10; spiral: its way there. {{V2.clockwise|.0%}} of {{V2.clockwise.n}} steps measured are clockwise.
#: alt: Six dials with positions 0 to 12 as dots on the rim. The first hand makes about a sixth of a turn a step and is in its second turn
#:   at position 10; each further one is slower, and on the last all
#:   dots lie at twelve o'clock. All hands turn clockwise.
#: size: 860x660
#: phone: 340x760

array pair[6]
array step[6]
array turn[6]
do for [i = 1:6] {
  stats data_v2_dials using (column('dial') == i ? column('pair') : NaN) nooutput
  pair[i] = STATS_min
  stats data_v2_dials using (column('dial') == i ? column('step') : NaN) nooutput
  step[i] = STATS_min
  stats data_v2_dials using (column('dial') == i ? column('turn') : NaN) nooutput
  turn[i] = STATS_min
}
unset key
unset grid
unset border
unset tics
set parametric
set samples (phone ? 50 : 90)
if (phone) { panel_left = 8; panel_right = 8; panel_across = 14; panel_down = 62; panel_top = title_height + 2; phone_columns = 2; panel_rows = 2 }
set size ratio -1
set xrange [-1.42:1.42] noextend
set yrange [-1.42:1.42] noextend
set angles degrees
on(i, x) = column('dial') == i ? x : NaN
hand(i, x) = column('dial') == i && column('position') == 10 ? x : NaN
# labels where dots are far enough apart
named(i, t) = step[i] > 12 ? 1 : step[i] > 3 ? int(t) % 3 == 0 : step[i] > 1 ? int(t) % 12 == 0 : t == 0
name(i, t) = step[i] > 1 ? sprintf('%d', t) : '0–12'
comma(x) = x < 9999.5 ? sprintf('%.0f', x) : sprintf('%d,%03d', int(x + 0.5) / 1000, int(x + 0.5) % 1000)
rounded(x) = x < 99 ? sprintf('%.1f', x) : comma(x)
degrees_of(x) = x < 0.1 ? sprintf('%.4f°', x) : sprintf('%.1f°', x)
set multiplot
do for [i = 1:6] {
  column_of = (i - 1) % 3
  row_of = (i - 1) / 3
  set lmargin at screen 0.015 + 0.33 * column_of
  set rmargin at screen 0.325 + 0.33 * column_of
  set tmargin at screen 0.885 - 0.46 * row_of
  set bmargin at screen 0.535 - 0.46 * row_of
  if (phone) { eval panel(i, 3) }
  set label 2 sprintf('pair %d: %s a position', pair[i], degrees_of(step[i])) at graph 0.5, graph -0.035 center tc rgb ink font small
  set label 3 sprintf('a turn in %s positions', rounded(turn[i])) at graph 0.5, graph -0.095 center tc rgb quiet font small
  if (phone) { set label 2 sprintf('pair %d: %s', pair[i], degrees_of(step[i])) at graph 0.5, graph -0.05; set label 3 sprintf("a turn in %s\npositions", rounded(turn[i])) at graph 0.5, graph -0.15 }
  if (i > 1) { unset label 1 }
  set trange [0:1]
  radius(a) = 0.30 + 0.28 * a / (10 * step[i])
  # the spiral's arrow ends where its own angle ends, and begins a little before
  a1 = 10 * step[i]
  a0 = a1 - (a1 > 14 ? 14 : a1 * 0.5)
  if (step[i] > 1) {
    set arrow 1 from radius(a0) * sin(a0), radius(a0) * cos(a0) to radius(a1) * sin(a1), radius(a1) * cos(a1) head filled size screen 0.012, 25 ls 3 lw 1.6
  } else { unset arrow 1 }
  plot sin(360 * t), cos(360 * t) with lines lc rgb quiet lw 1 dt solid, \
       radius(a1 * t) * sin(a1 * t), step[i] > 1 ? radius(a1 * t) * cos(a1 * t) : NaN with lines ls 3 lw 1.4, \
       data_v2_dials using (0):(0):(hand(i, column('across'))):(hand(i, column('up'))) with vectors head filled size screen 0.018, 20 ls 2 lw 2.4, \
       data_v2_dials using (on(i, column('across'))):(on(i, column('up'))) with points ls 1 pt 7 ps 0.6, \
       data_v2_dials using (named(i, column('position')) ? on(i, 1.17 * column('across')) : NaN):(1.17 * column('up')):(name(i, column('position'))) with labels font small tc rgb ink
}
unset multiplot
