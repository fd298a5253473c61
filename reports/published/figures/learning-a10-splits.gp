#: claim: A10
#: needs: learning/a10_splits.csv
#: title: Copying: the best split saves {{A10.split_saved.add_fixed|.0f}} steps against a sinusoid added, {{A10.split_saved.add_learned|.0f}} against learned
#: caption: Steps until 90 % of ten batches' answers were right, for every split of width 32, mean over
#:   {{A10.split_saved.add_fixed.n}} seeds; bars and bands: 99 % intervals (Student's t). Lines: word and position added. Ring: the
#:   first split that needs the fewest steps; what it saves, in the title, is measured with the split chosen for each seed by the others.
#: alt: A curve of steps over the dimensions of the position, a ring at {{A10.best_split}} of them, where no split needs
#:   fewer. The band of adding a fixed sinusoid is at
#:   {{A10.steps.copy2.add_fixed.width32|.0f}} steps, that of adding learned positions at
#:   {{A10.steps.copy2.add_learned.width32|.0f}}; the split of a half needs {{A10.split_steps.p16|.0f}}, that of a quarter
#:   {{A10.split_steps.p8|.0f}}.
#: number: best = A10.best_split
#: size: 860x430

unset key
concat(x) = strcol('arm') eq 'concat' ? x : NaN
band(a, x) = strcol('arm') eq a ? x : NaN
set xrange [0:32] noextend
set xtics ('2' 2, '4' 4, '8' 8, '12' 12, '16' 16, '20' 20, '24' 24, '28' 28, '30' 30)
set xlabel 'dimensions of the concatenated position, d_p of 32' noenhanced
set ylabel 'steps to 90 % of copy −2'
set yrange [0:*]
set rmargin 20
do for [i = 1:2] {
  arm = i == 1 ? 'add_fixed' : 'add_learned'
  c = i == 1 ? 1 : 3
  do for [side in 'low high'] {
    stats data_a10_splits using (band(arm, column('steps_' . side))) nooutput
    if (side eq 'low') { low = STATS_min } else { high = STATS_max }
  }
  stats data_a10_splits using (band(arm, column('steps'))) nooutput
  middle = STATS_min
  set object i rectangle from graph 0, first low to graph 1, first high fc ls c fs solid interval_fill noborder behind
  set arrow i from graph 0, first middle to graph 1, first middle nohead ls c
  name = i == 1 ? 'sinusoid added' : 'learned, added'
  set label 1 + i name at graph 1.02, first middle left tc ls c
}
stats data_a10_splits using (concat(column('position_width')) == 24 ? column('steps') : NaN) nooutput
set label 4 'sinusoid concatenated' at 24, STATS_max offset 0, character -1.6 centre tc ls 2
plot data_a10_splits using (concat(column('position_width'))):(column('steps')):(column('steps_low')):(column('steps_high')) with yerrorbars ls 2, \
     data_a10_splits using (concat(column('position_width'))):(column('steps')) with lines ls 2, \
     data_a10_splits using (concat(column('position_width')) == best ? best : NaN):(column('steps')) with points ls 8 pt 6 ps 1.8 lw 1.5
