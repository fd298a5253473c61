#: claim: A9
#: needs: learning/a9_overlap.csv
#: title: Overlap of words with the initial positions during training: positions added, and RoPE
#: caption: Overlap ω of words with the positions of step 0, over its value before training. Means over seeds, width 32, 99% intervals. Blue: positions
#:   added. Black: the words of RoPE models of the same seeds, drawn where most learn the task. Dotted: no change.
#: alt: Six panels, three tasks by two kinds of positions. Curves for models with positions added and, where most RoPE models learn the task, for those,
#:   all from 1 before training. Over all tasks ω itself ends at {{A9.overlap_after.all.add.centred.width32|.2f}} with the centred sinusoid and at
#:   {{A9.overlap_after.all.add.learned.width32|.2f}} with learned positions.
#: size: 900x480
#: phone: 340x640

unset key
set multiplot
tasks = 'copy2 named bite'
heads = '"copy two before" "named position" "who bit whom"'
kinds = 'centred learned'
stats data_a9_overlap using (column('step')) nooutput
last = STATS_max
stats data_a9_overlap using (column('own_high') < 10 ? column('own_high') : NaN) nooutput
top = STATS_max
set xrange [0:last * 1.02] noextend
set yrange [0:(top > 1.4 ? top * 1.05 : 1.45)]
learns(x) = 2 * column('pairs') > column('seeds')
# Where most RoPE models do not learn the task, below the panel.
rope(x) = learns(0) ? x : -1
row_of(t, k, x) = (strcol('task') eq t && strcol('positions') eq k && column('width') == 32) ? x : NaN
do for [r = 1:2] {
  do for [m = 1:3] {
    set tmargin at screen (phone ? 0.8 - 0.265 * (m - 1) : r == 1 ? 0.82 : 0.455)
    set bmargin at screen (phone ? 0.625 - 0.265 * (m - 1) : r == 1 ? 0.51 : 0.14)
    left = phone ? 0.12 + (r - 1) * 0.45 : 0.09 + (m - 1) * 0.305
    set lmargin at screen left
    set rmargin at screen left + (phone ? 0.38 : 0.275)
    t = word(tasks, m)
    k = word(kinds, r)
    if (phone && r == 1) { set label 24 word(heads, m) at graph 0, graph 1.1 left tc rgb ink }
    if (phone && m == 1) { set label 25 (r == 1 ? 'centred sinusoid' : 'learned positions') at graph 0, graph 1.28 left tc rgb quiet }
    if (!phone && m == 1) { set ylabel (r == 1 ? 'centred sinusoid' : 'learned positions'); set format y '%g' } else { set ylabel ''; set format y (phone && r == 1 ? '%g' : '') }
    if (phone ? m == 3 : r == 2) { set xlabel 'steps'; set format x '%g' } else { set xlabel ''; set format x '' }
    set xtics 0, last / 2, last
    if (!phone && r == 1) { set label 20 word(heads, m) at graph 0.5, graph 1.08 center tc rgb ink }
    if (r == 1 && m == 1) {
      set label 21 'added' at graph 0.06, graph 0.2 left tc lt 1
      set label 22 'RoPE' at graph 0.06, graph 0.09 left tc lt 8
    }
    stats data_a9_overlap using (row_of(t, k, learns(0))) nooutput
    if (STATS_max == 0) { set label 23 (phone ? "most RoPE models\ndo not learn it" : 'most RoPE models do not learn it') at graph 0.06, graph (phone ? 0.25 : 0.09) left tc lt 8 }
    plot 1 with lines ls 11, \
      data_a9_overlap using (row_of(t, k, column('step'))):(column('own_low')):(column('own_high')) with filledcurves fs solid interval_fill ls 1, \
      data_a9_overlap using (row_of(t, k, column('step'))):(rope(column('rope_low'))):(rope(column('rope_high'))) with filledcurves fs solid interval_fill ls 8, \
      data_a9_overlap using (row_of(t, k, column('step'))):(rope(column('rope'))) with lines ls 8 dt 2, \
      data_a9_overlap using (row_of(t, k, column('step'))):(column('own')) with linespoints ls 1 ps 0.4 pi (phone ? 3 : 1)
    unset label
  }
}
unset multiplot
