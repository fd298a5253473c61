#: claim: A9
#: needs: learning/a9_terms.csv
#: title: How much of the scores between positions distance explains, before training and after
#: caption: Share of the variance of position–position logits that relative distance explains. Means over the heads of the first block and
#:   {{A9.r2.copy2.add.centred.width32.n}} seeds, width 32, 99% intervals. Open: before training; filled: after. Dotted: random logits.
#: alt: For three tasks the share with the centred sinusoid added, learned positions added and the sinusoid concatenated. On copying it
#:   goes from {{A9.r2_before.copy2.add.centred.width32|.2f}} to {{A9.r2.copy2.add.centred.width32|.2f}}, from
#:   {{A9.r2_before.copy2.add.learned.width32|.2f}} to {{A9.r2.copy2.add.learned.width32|.2f}} and from
#:   {{A9.r2_before.copy2.concat.centred.p16.width32|.2f}} to {{A9.r2.copy2.concat.centred.p16.width32|.2f}}; on named positions:
#:   {{A9.r2_before.named.add.centred.width32|.2f}} and {{A9.r2.named.add.centred.width32|.2f}},
#:   {{A9.r2_before.named.add.learned.width32|.2f}} and {{A9.r2.named.add.learned.width32|.2f}}. Random logits have
#:   {{A9.r2.copy2.add.centred.width32.theory|.2f}}.
#: size: 900x410
#: phone: 340x460

unset key
set xrange [-0.6:8.6] noextend
set yrange [-0.05:1.05]
set ytics ('0' 0, '.2' 0.2, '.4' 0.4, '.6' 0.6, '.8' 0.8, '1' 1)
set ylabel 'R² of position logits by distance'
unset xtics
set xlabel ''
set bmargin at screen 0.14
set tmargin at screen 0.81
set grid noxtics
heads = '"copy two before" "who bit whom" "named position"'
if (phone) { heads = "'copy two\nbefore' 'who bit\nwhom' 'named\nposition'" }
do for [m = 1:3] { set label 20 + m word(heads, m) at first 3 * (m - 1) + 1, screen 0.07 center tc rgb ink }
task_of(t) = (t eq 'copy2') ? 0 : (t eq 'bite') ? 1 : (t eq 'named') ? 2 : NaN
arm_of(i) = strcol('arm') eq (i == 2 ? 'concat' : 'add') && strcol('positions') eq (i == 1 ? 'learned' : 'centred')
x(i, m) = (arm_of(i) && strcol('moment') eq m && column('width') == 32) ? 3 * task_of(strcol('task')) + 0.55 * i + 0.45 + (m eq 'before' ? -0.11 : 0.11) : NaN
set label 40 'centred sinusoid added' at screen 0.105, screen 0.865 left tc lt 1
set label 41 'squares: learned, added' at screen 0.31, screen 0.865 left tc lt added
set label 42 'sinusoid concatenated' at screen 0.53, screen 0.865 left tc lt concatenated
set label 43 '(open: before training)' at screen 0.75, screen 0.865 left tc rgb quiet
if (phone) {
  row(k) = 1 - (title_height + 14 + 16.0 * k) / figure_height
  set tmargin at screen row(4.5)
  set label 40 at screen 0.04, screen row(0); set label 41 at screen 0.04, screen row(1); set label 42 at screen 0.04, screen row(2); set label 43 at screen 0.04, screen row(3)
  do for [m = 1:3] { set label 20 + m at first 3 * (m - 1) + 1, screen 0.09 }
}
set label 44 'random logits' at graph 0.01, first 0.015 left tc rgb quiet
stats data_a9_terms using (column('chance')) nooutput
chance = STATS_max
plot chance with lines ls 11, \
     for [i = 0:2] data_a9_terms using (x(i, 'before')):(column('r2')):(column('r2_low')):(column('r2_high')) with yerrorbars ls (i == 2 ? concatenated : added) pt (i == 0 ? 6 : i == 1 ? 4 : 8) lw 1, \
     for [i = 0:2] data_a9_terms using (x(i, 'after')):(column('r2')):(column('r2_low')):(column('r2_high')) with yerrorbars ls (i == 2 ? concatenated : added) pt (i == 0 ? 7 : i == 1 ? 5 : 9) ps 0.9
