#: claim: A4
#: needs: capacity/a4_starts.csv capacity/a4_paths.csv capacity/a4_joint.csv
#: title: {{#measured A4.joint.v300}}Best split: residual {{A4.split.v300|.2f}}; positions alone optimised
#:   {{A4.alone.v300.power1|.2f}}, at power 16 {{A4.alone.v300.power16|.2f}}, words and positions {{A4.joint.v300|.2f}}{{/measured}}{{#unmeasured A4.joint.v300}}Residuals of the best split, of optimised positions, of words and positions{{/unmeasured}}
#: caption: Left, residual against steps of the descent, first draw of words and targets, power 1; blue, from five starts, positions
#:   alone move and words stay at full width. Green: words too, from the best split; orange, both in the split's own dimensions.
#:   Dotted: the best split. Right, ends of the five starts less the best split of the same draw, against the power of a
#:   position over a word's. Bars: Student's t, 99 %, over draws.
#: alt: Left: residuals fall with the steps, from five starts with positions alone, from the split with words free too,
#:   beside the dotted line of the best split. Right: the ends of the five starts less the split, over the power of
#:   positions{{#measured A4.joint.v300}}. With 300 words the best split leaves {{A4.split.v300|.2f}}, positions alone
#:   {{A4.alone.v300.power1|.2f}} ({{A4.excess.v300.power1|+.3f}}) at power one and {{A4.alone.v300.power16|.2f}}
#:   ({{A4.excess.v300.power16|+.3f}}) at power 16, words and positions together {{A4.joint.v300|.2f}}{{/measured}}.
#: size: 860x420

stats data_a4_starts using (column('v')) nooutput
size = STATS_max
run(f, x) = (column('v') == size && strcol('from') eq f && column('power') == 1) ? x : NaN
stats data_a4_paths using (run('joint', column('residual'))) nooutput
best_split = STATS_max
stats data_a4_paths using (run('joint', column('step'))) nooutput
last = STATS_max
unset key
set multiplot
set tmargin at screen 0.84
set lmargin at screen 0.105
set rmargin at screen 0.50
set xlabel 'steps of the descent'
set ylabel 'residual'
set yrange [0.2:1]
set ytics ('20 %%' 0.2, '30 %%' 0.3, '40 %%' 0.4, '50 %%' 0.5, '60 %%' 0.6, '70 %%' 0.7, '80 %%' 0.8, '90 %%' 0.9, '100 %%' 1)
starts = 'random other sinusoidal centred confined'
set xrange [0:last * 1.02]
set label 2 'positions alone' at graph 0.98, first 0.76 right tc ls 1
set label 3 'best split, as drawn' at graph 0.98, first best_split - 0.032 right tc rgb quiet
set label 4 'split, its tables optimised' at graph 0.98, first 0.43 right tc ls 2
set label 5 'words and positions' at graph 0.98, first 0.265 right tc ls 3
plot best_split with lines ls 11, \
     for [i = 1:5] data_a4_paths using (run(word(starts, i), column('step'))):(column('residual')) with lines ls 1 lw 1.3, \
     data_a4_paths using (run('within', column('step'))):(column('residual')) with lines ls 2, \
     data_a4_paths using (run('joint', column('step'))):(column('residual')) with lines ls 3

unset label
set lmargin at screen 0.63
set rmargin at screen 0.97
set logscale x
set xlabel 'power of a position over a word''s'
set ylabel 'end less best split'
set xrange [0.5:500]
set yrange [*:*]
set ytics auto
set format y '%.2f'
set xtics ('1' 1, '2' 2, '16' 16, '256' 256)
shift(i) = 1.13 ** (i - 3)
set label 2 'above: the split is not reached' at graph 0.97, graph 0.94 right tc rgb quiet
plot 0 with lines ls 11, \
     for [i = 1:5] data_a4_starts using ((column('v') == size && strcol('from') eq word(starts, i)) ? column('power') * shift(i) : NaN):(column('excess')):(column('excess_low')):(column('excess_high')) with yerrorbars ls 1 pt 7 ps 0.6
unset multiplot
