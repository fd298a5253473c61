#: claim: L1
#: needs: scaling/speedup.csv
#: title: With all threads a study is {{L1.speedup.least|.2f}} to {{L1.speedup.most|.2f}} times as fast as with one
#: caption: How many times as fast a whole study is with all threads as with one; intervals over rounds that took turns.
#:   Dashed: the number of threads.
#: alt: One point a study with its interval, below the dashed line of the number of threads; the numbers are in the table below.
#: size: 760x330

stats data_speedup using (column('place')) nooutput
many = STATS_max
stats data_speedup using (column('threads')) nooutput
threads = STATS_max
set xrange [0.4:many + 0.6]
set yrange [0.9:threads * 1.12]
set xlabel ''
set ylabel 'times as fast'
unset key
plot threads ls 10, \
  data_speedup using (column('place')):(column('speedup')):(column('low')):(column('high')):xtic(strcol('study')) with yerrorbars ls 1
