#: claim: B1
#: finding: B1.runs
#: needs: bench/history.csv
#: title: The same work on this machine, run after run
#: caption: Geometric mean of the times of a library, with its own pick of kernels, over those of this machine's first run; over the rows that all
#:   {{B1.runs}} runs have. Runs were not made in turns: what the machine did between them is in it.
#: alt: A line for each library: its mean time over that of the first run, against the number of the run. The numbers are in history.csv.
#: size: 900x470

stats data_history using (column('place')) nooutput
many = int(STATS_max)
array names[many]
do for [i = 1:many] {
  stats data_history using (column('place') == i ? (names[i] = strcol('backend'), i) : NaN) nooutput
}
stats data_history using (column('run')) nooutput
set key at screen 0.012, screen key_top maxrows 4
set tmargin at screen 0.70
set xrange [0.8:STATS_max + 0.2] noextend
set xtics 1
set xlabel 'run'
set ylabel 'time over that of the first run'
set logscale y 2
plot for [i = 1:many] data_history using (column('place') == i ? column('run') : NaN):(column('ratio')) with linespoints ls ((i - 1) % 8 + 1) dt 1 + (i > 8) title names[i], \
     1 ls 11 notitle
