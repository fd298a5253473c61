#: claim: A7
#: needs: capacity/a7_readers.csv
#: title: Best concatenation less best flat sum, by reader, of the bits sent
#: caption: Positions sinusoidal (dots) and random (rings), where the best concatenation carries 90%; 256 words and 64 positions{{#preset long}},
#:   at 768 dimensions 50,257 and 1,024{{/preset}}. Ideal readers know both tables; “one by one” sums the other one out. Shaded: which carries more.
#: alt: At d = 32 the difference is {{A7.gain_share.joint.sinusoidal.d32.v256.carried90|+.1%}} and
#:   {{A7.gain_share.joint.random.d32.v256.carried90|+.1%}} for an ideal reader of all pairs,
#:   {{A7.gain_share.linear.sinusoidal.d32.v256.carried90|+.1%}} and {{A7.gain_share.linear.random.d32.v256.carried90|+.1%}} for a linear
#:   one (sinusoidal, random).
#: size: 860x300
#: phone: 340x520

readers = 'joint separate linear'
says(k) = k == 1 ? 'ideal, all pairs' : k == 2 ? 'ideal, one by one' : 'linear'
families = 'sinusoidal random'
wanted(r, f, w, x) = strcol('reader') eq r && strcol('positions') eq f && column('d') == w && column('carried') == 90 && strcol('grid') eq 'coarse' \
  && column('codebooks') >= 8 && (column('v') == 256 || column('v') == 50257) ? x : NaN
widths = '32'
do for [w in '256 768'] {
  stats data_a7_readers using (wanted('linear', 'random', w + 0, 1) == 1 ? 1 : 0) nooutput
  if (STATS_max == 1) { widths = widths . ' ' . w }
}
unset key
set xrange [-4.5:10] noextend
set yrange [0.4:3.6] noextend
set xtics ('−4%%' -4, '0' 0, '4%%' 4, '8%%' 8)
panel_left = 140
set multiplot
do for [i = 1:words(widths)] {
  eval panel(i, words(widths))
  w = word(widths, i) + 0
  if (phone || i == 1) { set ytics (says(1) 3, says(2) 2, says(3) 1) } else { set ytics ('' 3, '' 2, '' 1) }
  set label 2 'd = ' . word(widths, i) at graph 0, graph 1.08 left tc rgb ink
  set object 1 rect from first 0, graph 0 to graph 1, graph 1 fc rgb word(marks, concatenated) fs solid 0.07 noborder behind
  set object 2 rect from graph 0, graph 0 to first 0, graph 1 fc rgb word(marks, added) fs solid 0.07 noborder behind
  set label 3 'concatenation' at graph 0.97, graph 0.93 right tc lt concatenated
  set label 4 'sum' at graph 0.03, graph 0.06 left tc lt added
  set arrow 1 from 0, graph 0 to 0, graph 1 nohead lc rgb quiet lw 1.2
  plot for [k = 1:2] for [r = 1:3] data_a7_readers using (wanted(word(readers, r), word(families, k), w, 100 * column('gain_share'))):(4 - r + 0.13 * (3 - 2 * k)):(100 * column('gain_share_low')):(100 * column('gain_share_high')) \
         with xerrorbars lc rgb ink lw 1.4 pt (k == 1 ? 7 : 6) ps 0.9 notitle
}
unset multiplot
