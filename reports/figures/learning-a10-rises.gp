#: claim: A10
#: needs: learning/a10_rises.csv
#: title: Share of the runs that have learned, by step: added, concatenated, RoPE
#: caption: Share of the runs of width 32 that have learned (90% right in two windows of ten batches), by step. Blue: added; orange:
#:   concatenated, half of the dimensions; green: RoPE. Solid: centred sinusoid; dashed: learned positions; thin: the
#:   sinusoid uncentred, added.
#: alt: Three panels of rising staircases, one a task: copy two before, named position, who bit
#:   whom.{{#measured A10.ratio.tuned.learned_half}} Learned positions added and concatenated: {{A10.ratio.tuned.learned_half|.2f}} times
#:   the steps over all tasks; centred sinusoids {{A10.ratio.tuned.centred_half|.2f}}.{{/measured}}
#: size: 900x400
#: phone: 340x840

unset key
offsets = '14 74 472 224 350 662'
panel_across = 34; if (phone) { panel_top = title_height + 96; panel_down = 64 } else { panel_top = 96 }
set multiplot
tasks = 'copy2 named bite'
heads = '"copy two before" "named position" "who bit whom"'
arms = 'rotary add concat add add concat'
kinds = 'none as_is centred centred learned learned'
colours = '3 1 2 1 1 2'
says = '"RoPE" "uncentred, added" "centred, concatenated" "centred, added" "learned, added" "learned, concatenated"'
stats data_a10_rises using (strcol('arm') eq 'rotary' ? 1 : 0) nooutput
shown = STATS_max > 0 ? '1 2 3 4 5 6' : '2 3 4 5 6'
do for [i in shown] { set label 30 + i word(says, i + 0) at screen (phone ? (i > 3 ? 0.5 : 0.04) : word(offsets, i + 0) / 900.0), screen (phone ? 1 - (title_height + 17 + 16.0 * ((i - 1) % 3)) / figure_height : 0.872) left tc lt (word(colours, i + 0) + 0) }
row_of(t, i, x) = (strcol('task') eq t && strcol('arm') eq word(arms, i) && strcol('positions') eq word(kinds, i) && column('width') == 32 && (word(arms, i) ne 'concat' || column('position_width') == 16)) ? x : NaN
stats data_a10_rises using (column('step')) nooutput
last = STATS_max < 500 ? STATS_max : 500
set xrange [0:last] noextend
set yrange [0:1.04] noextend
set ytics ('0' 0, '.5' 0.5, '1' 1)
set xtics 0, last / 2, last
set xlabel 'steps'
do for [m = 1:3] {
  if (m > 1) { do for [i = 1:6] { unset label 30 + i } }
  eval panel(m, 3)
  t = word(tasks, m)
  if (phone) { set xlabel (m == 3 ? 'steps' : '') }
  if (phone || m == 1) { set ylabel 'share that has learned' } else { set ylabel ''; set ytics ('' 0, '' 0.5, '' 1) }
  set label 20 word(heads, m) at graph 0, graph 1.07 left tc rgb ink
  plot for [i in (words(shown) > 5 ? '1 3 4' : '3 4')] data_a10_rises using (row_of(t, i + 0, column('step'))):(column('share')) with steps ls (word(colours, i + 0) + 0), \
    data_a10_rises using (row_of(t, 2, column('step'))):(column('share')) with steps ls added lw 0.8, \
    for [i = 5:6] data_a10_rises using (row_of(t, i, column('step'))):(column('share')) with steps ls (word(colours, i) + 0) dt learned
}
unset multiplot
