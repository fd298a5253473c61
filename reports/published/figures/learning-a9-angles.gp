#: claim: A9
#: needs: learning/a9_angles.csv
#: title: Words and what tells positions apart, after copying: {{A9.centred.copy2.add_fixed.width32|.2f}} of chance
#: caption: Mean square cosine of all words with all positions, times d, during training; width 32,
#:   {{A9.square.copy2.add_fixed.width32.n}} seeds; bands: 99 % intervals (Student's t). Dotted: chance, tables that know
#:   nothing of each other. Positions added, fixed (the sinusoid) or learned. Above as they are; below less their mean, which
#:   is long for the sinusoid and tells no position from another.
#: alt: Eight panels, four tasks. All curves start at chance within their intervals. Above, with learned positions the mean
#:   square cosine times d falls to {{A9.square.copy2.add_learned.width32|.2f}} on copying,
#:   {{A9.square.bite.add_learned.width32|.2f}} on “who bit whom”, {{A9.square.named.add_learned.width32|.2f}} on named places
#:   and {{A9.square.count.add_learned.width32|.2f}} on counting; with the sinusoid it ends at
#:   {{A9.square.copy2.add_fixed.width32|.2f}}, {{A9.square.bite.add_fixed.width32|.2f}},
#:   {{A9.square.named.add_fixed.width32|.2f}} and {{A9.square.count.add_fixed.width32|.2f}}. Below, with positions less
#:   their mean, it ends at {{A9.centred.copy2.add_fixed.width32|.2f}}, {{A9.centred.bite.add_fixed.width32|.2f}},
#:   {{A9.centred.named.add_fixed.width32|.2f}} and {{A9.centred.count.add_fixed.width32|.2f}} with the sinusoid.
#: size: 900x600

unset key
set multiplot
tasks = 'copy2 bite named count'
heads = '"copy two before" "who bit whom" "named place" "counting"'
arms = 'add_fixed add_learned'
stats data_a9_angles using (column('step')) nooutput
last = STATS_max
set xrange [0:last * 1.02] noextend
set yrange [0:1.75]
row_of(t, a, x) = (strcol('task') eq t && strcol('arm') eq a && column('width') == 32) ? x : NaN
do for [r = 0:1] {
  set tmargin at screen (r == 0 ? 0.85 : 0.455)
  set bmargin at screen (r == 0 ? 0.525 : 0.13)
  what = r == 0 ? 'square' : 'centred'
  do for [m = 1:4] {
    set lmargin at screen 0.085 + (m - 1) * 0.228
    set rmargin at screen 0.085 + (m - 1) * 0.228 + 0.205
    t = word(tasks, m)
    if (m == 1) {
      set ylabel (r == 0 ? 'mean square cosine × d' : '… positions less their mean')
      set ytics ('0' 0, '.5' 0.5, '1' 1, '1.5' 1.5)
    } else {
      set ylabel ''
      set ytics ('' 0, '' 0.5, '' 1, '' 1.5)
    }
    if (r == 0) {
      set xlabel ''
      set xtics ('' 0, '' last / 2, '' last)
      set label 20 word(heads, m) at graph 0.5, graph 1.06 center tc rgb ink
    } else {
      set xlabel 'steps'
      set xtics 0, last / 2, last
    }
    if (r == 0 && m == 1) {
      set label 21 'sinusoid' at graph 0.05, graph 0.18 left tc ls 1
      set label 22 'learned positions' at graph 0.05, graph 0.08 left tc ls 2
    }
    plot 1 with lines ls 11, \
      for [i = 1:2] data_a9_angles using (row_of(t, word(arms, i), column('step'))):(column(what . '_low')):(column(what . '_high')) with filledcurves fs solid interval_fill ls i, \
      for [i = 1:2] data_a9_angles using (row_of(t, word(arms, i), column('step'))):(column(what)) with linespoints ls i ps 0.4
    unset label
  }
}
unset multiplot
