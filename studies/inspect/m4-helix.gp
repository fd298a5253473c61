#: claim: M4
#: finding: M4.axes
#: needs: inspect/m4_axes.csv
#: text: models = {{parameter.inspect.with_positions}}
#: title: Positions of one model along the three directions in which they vary most, from three sides
#: caption: Each position as a point along the three leading directions of its table, centred and seen from the side. Lines join neighbours, from
#:   the first position (dark) to the last (bright). A sinusoid of few frequencies would be a helix. Shown is the first model of the list.
#: alt: Three panels: a curve in three dimensions that joins the positions of the first of {{M4.models}} models in their order, seen from three sides.
#: size: 860x350
#: phone: 340x740

unset key
unset grid
unset tics
set border 0
set xlabel ''
set ylabel ''
m = word(models, 1)
shown = 3
of(m, x) = pick('model', m, x)
# Turned about the upright axis and tipped towards the eye.
across(x, y) = cos(turn) * x - sin(turn) * y
up(x, y, z) = 0.35 * (sin(turn) * x + cos(turn) * y) + 0.94 * z
# Seen on light and on dark ground: both themes are one picture that differs in colours of text and lines alone.
set palette defined (0 '#7c6bd6', 2 '#4f7fc0', 4 '#21918c', 6 '#3fae5a', 8 '#c9a417')
set palette maxcolors 32
unset colorbox
set size ratio -1
panel_left = 20; panel_across = 20; panel_bottom = 10; panel_down = 24
set multiplot
do for [i = 1:shown] {
  turn = 0.6 + (i - 1) * pi / 3
  eval panel(i, shown)
  set label 2 (i == 1 ? display_name(m) : sprintf('turned by %d°', 60 * (i - 1))) at graph 0, graph 1.04 left tc rgb ink noenhanced
  set xrange [-1.5:1.5] noextend
  set yrange [-1.5:1.5] noextend
  do for [k = 1:3] {
    set arrow k from 0, 0 to 1.25 * across(k == 1, k == 2), 1.25 * up(k == 1, k == 2, k == 3) nohead lc rgb faint lw 1.5 back
    set label 2 + k sprintf('%d', k) at 1.36 * across(k == 1, k == 2), 1.36 * up(k == 1, k == 2, k == 3) center tc rgb quiet font small
  }
  set cbrange [*:*]
  plot data_m4_axes using (of(m, across(column('first'), column('second')))):(up(column('first'), column('second'), column('third'))):(column('position')) with lines lc palette lw 1, \
       data_m4_axes using (phone ? NaN : of(m, across(column('first'), column('second')))):(up(column('first'), column('second'), column('third'))):(column('position')) with points pt 7 ps 0.3 lc palette
}
unset multiplot
