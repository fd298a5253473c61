#: claim: A8
#: needs: learning/a8_paths.csv
#: title: Words' norm in the directions of their positions, over chance, during training
#: caption: Squared norm of the words within the directions that hold 99% of the positions', over its value by chance, r/d. Width 32,
#:   {{A8.inside.copy2.add.centred.width32.n}} seeds, bands: 99% intervals. Dotted: chance. For models without positions, the directions are those of the centred sinusoid.
#: alt: Three panels, one a task. All curves start at chance. At the end words have {{A8.inside.copy2.add.centred.width32|.2f}} of chance
#:   inside the sinusoid's directions on copying, {{A8.inside.bite.add.centred.width32|.2f}} on “who bit whom” and
#:   {{A8.inside.named.add.centred.width32|.2f}} on named positions; in those of learned positions
#:   {{A8.inside.copy2.add.learned.width32|.2f}}, {{A8.inside.bite.add.learned.width32|.2f}} and
#:   {{A8.inside.named.add.learned.width32|.2f}}; without positions {{A8.inside.copy2.none.width32|.2f}},
#:   {{A8.inside.bite.none.width32|.2f}} and {{A8.inside.named.none.width32|.2f}}.
#: size: 900x390
#: phone: 340x840

unset key
panel_across = 34; if (phone) { panel_down = 64 }
set multiplot
tasks = 'copy2 bite named'
heads = '"copy two before" "who bit whom" "named position"'
arms = 'none add add'
kinds = 'none learned centred'
colours = '8 1 1'
dash(i) = i == 2 ? learned : sinusoidal
stats data_a8_paths using (column('step')) nooutput
last = STATS_max
set xrange [0:last * 1.02] noextend
set yrange [0.3:1.3]
set ytics ('.4' 0.4, '.6' 0.6, '.8' 0.8, '1' 1, '1.2' 1.2)
set xtics 0, last / 2, last
set xlabel 'steps'
row_of(t, i, x) = (strcol('task') eq t && strcol('arm') eq word(arms, i) && strcol('positions') eq word(kinds, i) && column('width') == 32 && column('start') == 1) ? x : NaN
do for [m = 1:3] {
  eval panel(m, 3)
  t = word(tasks, m)
  if (phone) { set xlabel (m == 3 ? 'steps' : '') }
  if (phone || m == 1) { set ylabel 'squared norm inside, of chance' } else { set ylabel ''; set ytics ('' 0.4, '' 0.6, '' 0.8, '' 1, '' 1.2) }
  set label 20 word(heads, m) at graph 0.5, graph 1.07 center tc rgb ink
  if (m == 1) {
    set label 21 'no positions' at graph 0.05, graph 0.24 left tc lt 8
    set label 22 'dashed: learned, added' at graph 0.05, graph 0.16 left tc lt added
    set label 23 'centred sinusoid, added' at graph 0.05, graph 0.08 left tc lt 1
  }
  plot 1 with lines ls 11, \
    for [i = 1:3] data_a8_paths using (row_of(t, i, column('step'))):(column('inside_low')):(column('inside_high')) with filledcurves fs solid interval_fill ls (word(colours, i) + 0), \
    for [i = 1:3] data_a8_paths using (row_of(t, i, column('step'))):(column('inside')) with linespoints ls (word(colours, i) + 0) dt dash(i) ps 0.4 pi (phone ? 3 : 1)
  unset label
}
unset multiplot
