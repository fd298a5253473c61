#: claim: B1
#: needs: bench/rates.csv
#: title: Small and skinny products: where the call costs as much as the work
#: caption: Rate in float32 against n by backend (threads: {{B1.threads.fewest}}): C = A Bᵀ, n × n × n on the left, 10,000 × n × n on
#:   the right; medians over {{B1.rounds}} rounds. One thread multiplies and adds at most {{B1.fma.f32.fewest|.0f}} billion operations a second.
#: alt: Two panels on logarithmic axes, a line for each backend: rate in billions of operations a second against the size n, of small square
#:   products on the left, of products of 10,000 rows with n columns and inner size n on the right. The numbers are in rates.csv.
#: number: peak = B1.fma.f32.fewest
#: size: 900x520

stats data_rates using (column('place')) nooutput
many = int(STATS_max)
array names[many]
do for [i = 1:many] {
  stats data_rates using (column('place') == i ? (names[i] = strcol('shown'), i) : NaN) nooutput
}
stats data_rates using (column('threads')) nooutput
fewest = STATS_min
shown(i, operation, x) = (column('place') == i && strcol('operation') eq operation && strcol('type') eq 'f32' && column('threads') == fewest) ? x : NaN
small(x) = strcol('operation') eq 'gemm_small' && strcol('type') eq 'f32' && column('threads') == fewest ? x : NaN
stats data_rates using (small(column('n'))) nooutput
largest = STATS_max
stats data_rates using (small(column('gflops'))) nooutput
lowest = STATS_min

set key at screen 0.012, screen 0.90 maxrows 4
set logscale xy 2
set xrange [3.5:1.125 * largest] noextend
set yrange [lowest / 1.2:peak * 1.2] noextend
set xtics 4, largest > 16 ? 4 : 2
set ytics 4
set xlabel 'n'
set tmargin at screen 0.68
set multiplot
do for [panel = 0:1] {
  operation = panel == 0 ? 'gemm_small' : 'gemm_skinny'
  set lmargin at screen (panel ? 0.57 : 0.09)
  set rmargin at screen (panel ? 0.97 : 0.49)
  if (panel == 0) { set ylabel '10⁹ operations a second' offset 1, 0 textcolor rgb ink } else { set ylabel ''; unset label 1; unset key }
  set label 2 (panel == 0 ? 'n × n × n' : '10,000 × n × n') at graph 0.02, graph 1.05 left tc rgb ink font small
  plot for [i = 1:many] data_rates using (shown(i, operation, column('n'))):(column('gflops')) with linespoints ls ((i - 1) % 8 + 1) dt 1 + (i > 8) title names[i], \
       peak ls 10 notitle
}
unset multiplot
