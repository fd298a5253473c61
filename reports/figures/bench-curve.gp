#: claim: B1
#: needs: bench/rates.csv
#: title: The best square product reaches {{B1.gemm_share.f32.fewest|.0%}} of the machine's own rate in float32, {{B1.gemm_share.f64.fewest|.0%}} in float64
#: caption: Rate of C = A Bᵀ, n × n, by backend, against n; medians over {{B1.rounds}} rounds. Threads: {{B1.threads.fewest}} on the left,
#:   {{B1.threads.most}} on the right. Dashed: fused multiply-adds in registers, measured here, the top of each axis.
#: alt: Four panels, float32 above float64, fewest threads left, all threads right: rate in billions of operations a second against the
#:   size of a square product, a line for each backend, under the machine's own rate of {{B1.fma.f32.fewest|.0f}} and
#:   {{B1.fma.f64.fewest|.0f}} with the fewest threads, {{B1.fma.f32.most|.0f}} and {{B1.fma.f64.most|.0f}} with all.
#: text: fewest = threads: {{B1.threads.fewest}}
#: text: most = threads: {{B1.threads.most}}
#: size: 900x720

# Names of the backends, by place.
stats data_rates using (column('place')) nooutput
many = int(STATS_max)
array names[many]
do for [i = 1:many] {
  stats data_rates using (column('place') == i ? (names[i] = strcol('shown'), i) : NaN) nooutput
}
shown(i, type, threads, x) = (column('place') == i && strcol('operation') eq 'gemm' && strcol('type') eq type && column('threads') == threads) ? x : NaN
stats data_rates using (column('threads')) nooutput
fewest_threads = STATS_min
most_threads = STATS_max

stats data_rates using (strcol('operation') eq 'gemm' ? column('n') : NaN) nooutput
largest = STATS_max

set key at screen 0.012, screen 0.935 maxrows 4
set logscale x 2
set xtics 64, largest > 1024 ? 4 : 2
set multiplot
do for [row = 0:1] {
  type = row == 0 ? 'f32' : 'f64'
  set tmargin at screen (row == 0 ? 0.80 : 0.40)
  set bmargin at screen (row == 0 ? 0.50 : 0.10)
  do for [right = 0:1] {
    threads = right ? most_threads : fewest_threads
    set xrange [*:*]  # stats looks at the ranges, too
    set yrange [*:*]
    stats data_rates using (strcol('type') eq type && column('threads') == threads ? column('fma') : NaN) nooutput
    top = STATS_max
    set lmargin at screen (right ? 0.58 : 0.09)
    set rmargin at screen (right ? 0.97 : 0.48)
    set xrange [56:1.15 * largest] noextend
    set yrange [0:top] noextend
    if (row == 1) { set xlabel 'n' textcolor rgb ink } else { set xlabel '' }
    if (!right) { set ylabel '10⁹ operations a second' offset 1, 0 textcolor rgb ink } else { set ylabel '' }
    set label 2 (row == 0 ? 'float32, ' : 'float64, ').(right ? most : fewest) at graph 0.02, graph 1.06 left tc rgb ink font small
    if (row == 0 && right == 0) { set key on } else { unset key; unset label 1 }
    plot for [i = 1:many] data_rates using (shown(i, type, threads, column('n'))):(column('gflops')) with linespoints ls ((i - 1) % 8 + 1) dt 1 + (i > 8) title names[i], \
         top ls 10 notitle
  }
}
unset multiplot
