#: claim: A5
#: needs: capacity/a5_loss.csv
#: title: A split loses up to {{A5.worst_loss.sinusoidal|.1f}} bits; one chosen for strong noise {{A5.moved_loss.sinusoidal|.1f}} in weak
#:   noise, {{A5.moved_loss.random|.1f}} with random tables
#: caption: Bits lost against the best split, over the share of the dimensions that the position gets, d = 32, V = 256, L = 64, for
#:   weak, medium and strong noise n; bands: 99 % intervals over {{A5.worst_loss.sinusoidal.n}} codebooks. Large symbols at the left:
#:   added, without any split; below the dotted line the sum carries more than the best split. Dashed: d_p = d/3, dimensions in
#:   proportion to power, the best split for white Gaussian codebooks.
#: alt: Three panels for sinusoidal, centred and random positions. At noise one the worst share loses {{A5.worst_loss.sinusoidal|.1f}},
#:   {{A5.worst_loss.centred|.1f}} and {{A5.worst_loss.random|.1f}} bits against the best. The best share in strong noise loses
#:   {{A5.moved_loss.sinusoidal|.1f}}, {{A5.moved_loss.centred|.1f}} and {{A5.moved_loss.random|.1f}} in weak noise. At noise one, adding loses {{A5.adding_loss.sinusoidal|+.2f}}, {{A5.adding_loss.centred|+.2f}} and
#:   {{A5.adding_loss.random|+.2f}} bits against the best split.
#: size: 860x430

families = 'sinusoidal centred random'
noises = '0.5 1 2'
colours = '3 1 2'
of(f, n, x) = strcol('positions') eq f && column('noise') == word(noises, n) && column('d') == 32 ? x : NaN
split_of(f, n, x) = column('width') > 0 ? of(f, n, x) : NaN
sum_of(f, n, x) = column('width') == 0 ? of(f, n, x) : NaN
style_of(n) = word(colours, n) + 0
unset key
set xrange [-0.1:1] noextend
set yrange [-0.6:4.2] noextend
set ytics 1
set xtics ('added' -0.03, '¼' 0.25, '½' 0.5, '¾' 0.75, '1' 1)
left(i) = 0.075 + 0.308 * (i - 1)
set tmargin at screen 0.81
set bmargin at screen 0.15
set multiplot
do for [i = 1:3] {
  f = word(families, i)
  if (i > 1) { unset label 1 }
  set lmargin at screen left(i)
  set rmargin at screen left(i) + 0.285
  set label 2 f at graph 0.5, 1.06 centre tc rgb ink
  if (i == 1) { set ylabel 'bits lost against the best split'; set format y '%g' } else { set ylabel ''; set format y '' }
  if (i == 2) { set xlabel 'dimensions of the position, d_p/d' noenhanced } else { set xlabel '' }
  if (i == 1) { set label 3 'n = 0.5' at 0.42, 3.3 left tc ls 3; set label 4 'n = 1' at 0.42, 2.95 left tc ls 1; set label 5 'n = 2' at 0.42, 2.6 left tc ls 2 } \
  else { unset label 3; unset label 4; unset label 5 }
  set arrow 1 from 1.0 / 3, graph 0 to 1.0 / 3, graph 1 nohead ls 10
  plot 0 with lines ls 11, \
       for [n = 1:3] data_a5_loss using (split_of(f, n, column('share'))):(column('loss_low')):(column('loss_high')) with filledcurves fs solid interval_fill ls style_of(n), \
       for [n = 1:3] data_a5_loss using (split_of(f, n, column('share'))):(column('loss')) with linespoints ls style_of(n) ps 0.5, \
       for [n = 1:3] data_a5_loss using (sum_of(f, n, -0.05 + 0.02 * (n - 1))):(column('loss')):(column('loss_low')):(column('loss_high')) with yerrorbars ls style_of(n) ps 1.3
}
unset multiplot
