#: claim: A9
#: needs: learning/a9_terms.csv
#: title: Copying: distance explains {{A9.r2.copy2.add_fixed.width32|.0%}} of the position scores, {{A9.r2_before.copy2.add_fixed.width32|.0%}} before training
#: caption: Share of the position scores' variance that is a function of the distance alone, over all pairs that attention
#:   may look at, mean over the heads of the first block and {{A9.r2.copy2.add_fixed.width32.n}} seeds, width 32 (text: the
#:   preset's); bars: 99 % intervals (Student's t). Open: the same heads before training; filled: after. Dotted: random
#:   scores.
#: alt: For five tasks the share with the sinusoid added, learned positions added and the sinusoid beside the word. On
#:   copying it rises from {{A9.r2_before.copy2.add_fixed.width32|.2f}} to {{A9.r2.copy2.add_fixed.width32|.2f}}, from
#:   {{A9.r2_before.copy2.add_learned.width32|.2f}} to {{A9.r2.copy2.add_learned.width32|.2f}} and from
#:   {{A9.r2_before.copy2.concat.p8.width32|.2f}} to {{A9.r2.copy2.concat.p8.width32|.2f}}; on named places it stays:
#:   {{A9.r2_before.named.add_fixed.width32|.2f}} and {{A9.r2.named.add_fixed.width32|.2f}},
#:   {{A9.r2_before.named.add_learned.width32|.2f}} and {{A9.r2.named.add_learned.width32|.2f}}. Random scores have
#:   {{A9.r2.copy2.add_fixed.width32.theory|.2f}}.
#: size: 900x410

unset key
set xrange [-0.6:14.6] noextend
set yrange [-0.05:1.05]
set ytics ('0' 0, '.2' 0.2, '.4' 0.4, '.6' 0.6, '.8' 0.8, '1' 1)
set ylabel 'R² of position scores by distance'
unset xtics
set xlabel ''
set bmargin at screen 0.14
set tmargin at screen 0.81
set grid noxtics
heads = '"copy two before" "who bit whom" "named place" "counting" "next word"'
do for [m = 1:5] { set label 20 + m word(heads, m) at first 3 * (m - 1) + 1, screen 0.07 center tc rgb ink }
task_of(t) = (t eq 'copy2') ? 0 : (t eq 'bite') ? 1 : (t eq 'named') ? 2 : (t eq 'count') ? 3 : (t eq 'text') ? 4 : NaN
arm_of(i) = (i == 0) ? (strcol('arm') eq 'add_fixed') : (i == 1) ? (strcol('arm') eq 'add_learned') : (strcol('arm') eq 'concat' && column('p') * 4 == column('width'))
x(i, m) = (arm_of(i) && strcol('moment') eq m && (strcol('task') eq 'text' || column('width') == 32)) ? 3 * task_of(strcol('task')) + 0.55 * i + 0.45 + (m eq 'before' ? -0.11 : 0.11) : NaN
set label 40 'sinusoid added' at screen 0.105, screen 0.865 left tc ls 1
set label 41 'learned positions added' at screen 0.265, screen 0.865 left tc ls 2
set label 42 'sinusoid beside, d/4' at screen 0.51, screen 0.865 left tc ls 3
set label 43 '(open: before training)' at screen 0.72, screen 0.865 left tc rgb quiet
set label 44 'random scores' at graph 0.01, first 0.015 left tc rgb quiet
stats data_a9_terms using (column('chance')) nooutput
chance = STATS_max
plot chance with lines ls 11, \
     for [i = 0:2] data_a9_terms using (x(i, 'before')):(column('r2')):(column('r2_low')):(column('r2_high')) with yerrorbars ls (i + 1) pt (i == 0 ? 6 : i == 1 ? 4 : 8) lw 1, \
     for [i = 0:2] data_a9_terms using (x(i, 'after')):(column('r2')):(column('r2_low')):(column('r2_high')) with yerrorbars ls (i + 1) ps 0.9
