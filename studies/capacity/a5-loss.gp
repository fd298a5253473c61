#: claim: A5
#: needs: capacity/a5_widths.csv capacity/a5_moved.csv
#: title: Bits lost in weak noise by a choice of dimensions, and by the choice that is best in strong noise
#: caption: Bits lost at noise n = ½ against the best choice made there, over the position's share of 32 dimensions (V = 256, L = 64). Lines: each
#:   number of dimensions with its best share of the power. Large symbols: the choice that is best at n = 2. Bars: 99% intervals. Dotted: half a bit.
#: alt: Three panels for sinusoidal, centred and random positions. The choices of strong noise lose
#:   {{A5.moved_loss.split.sinusoidal.d32|.1f}}, {{A5.moved_loss.split.centred.d32|.2f}} and {{A5.moved_loss.split.random.d32|.2f}} bits
#:   concatenated, {{A5.moved_loss.sum.sinusoidal.d32|.1f}}, {{A5.moved_loss.sum.centred.d32|.2f}} and {{A5.moved_loss.sum.random.d32|.2f}}
#:   added. An eighth of the dimensions, its power chosen for it, loses {{A5.eighth_loss.sinusoidal|.1f}},
#:   {{A5.eighth_loss.centred|.1f}} and {{A5.eighth_loss.random|.1f}} bits; wider positions lose little.
#: size: 860x430
#: phone: 340x800

families = 'sinusoidal centred random'
sides = 'split sum'
colours = '2 1'
of(f, s, x) = strcol('positions') eq f && strcol('joined') eq s && column('d') == 32 ? x : NaN
style_of(s) = word(colours, s) + 0
unset key
set xrange [0:1.08] noextend
set yrange [-0.15:3.4] noextend
set ytics 1
set xtics ('⅛' 0.125, '¼' 0.25, '⅜' 0.375, '½' 0.5, '1' 1)
panel_across = 34; if (phone) { panel_down = 62 }
set multiplot
do for [i = 1:3] {
  f = word(families, i)
  eval panel(i, 3)
  set label 2 f at graph 0.5, 1.06 centre tc rgb ink
  if (phone || i == 1) { set ylabel 'bits lost at n = ½'; set format y '%g' } else { set ylabel ''; set format y '' }
  if (i == (phone ? 3 : 2)) { set xlabel 'dimensions of the position, dₚ/d' } else { set xlabel '' }
  if (i == (phone ? 1 : 3)) { set label 3 'concatenated' at graph 0.5, 0.9 left tc lt 2; set label 4 'added' at graph 0.5, 0.81 left tc lt 1; \
    set label 5 'large: chosen at n = 2' at graph 0.97, 0.72 right tc rgb quiet } else { unset label 3; unset label 4; unset label 5 }
  plot 0.5 with lines ls 11, \
       for [s = 1:2] data_a5_widths using (of(f, word(sides, s), column('part'))):(column('loss')) with lines ls style_of(s) lw (s == 1 ? 4 : 1), \
       for [s = 1:2] data_a5_widths using (of(f, word(sides, s), column('part'))):(column('loss')):(column('loss_low')):(column('loss_high')) with yerrorbars ls style_of(s) ps (s == 1 ? 1 : 0.5), \
       for [s = 1:2] data_a5_moved using (of(f, word(sides, s), column('strong_width') / column('d') + 0.03 * (s - 1.5))):(column('loss')):(column('loss_low')):(column('loss_high')) with yerrorbars ls style_of(s) ps 1.6
}
unset multiplot
