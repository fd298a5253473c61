#: claim: B1
#: needs: bench/heat.csv
#: title: Which backend is how many times slower than the fastest, operation by operation
#: caption: Geometric mean over an operation's shapes and types of the time over that of the fastest backend, paired by round; threads:
#:   {{B1.threads.fewest}} on the left, {{B1.threads.most}} on the right. A gap: not run, or
#:   some shapes were skipped or wrong. The largest numbers stand in the first table with their reason.
#: alt: Two heat maps, operations against backends, fewest threads left, all right; each cell holds the mean time over the fastest
#:   backend's. The numbers are in heat.csv. {{B1.backends}} backends, {{B1.skipped}} rows skipped, {{B1.failed}} wrong.
#: text: fewest = threads: {{B1.threads.fewest}}
#: text: most = threads: {{B1.threads.most}}
#: size: 1060x640

stats data_heat using (column('row')) nooutput
operations = int(STATS_max)
stats data_heat using (column('column')) nooutput
backends = int(STATS_max)
array backend[backends]
array operation[operations]
do for [i = 1:backends] {
  backend[i] = ''
  stats data_heat using (column('column') == i ? (backend[i] = strcol('backend'), i) : NaN) nooutput
}
do for [i = 1:operations] {
  stats data_heat using (column('row') == i ? (operation[i] = strcol('operation'), i) : NaN) nooutput
}
stats data_heat using (column('threads')) nooutput
fewest_threads = STATS_min
most_threads = STATS_max

unset key
unset grid
set border 0
set xrange [0.5:backends + 0.5] noextend
set yrange [operations + 0.5:0.5] noextend
set xtics scale 0 rotate by 40 right noenhanced
set ytics scale 0 noenhanced
set xtics () 
set ytics ()
do for [i = 1:backends] { set xtics add (backend[i] i) }
do for [i = 1:operations] { set ytics add (operation[i] i) }
# Viridis, dark is slow: brightness grows evenly for every kind of colour vision. One decade of ratios and a half.
set palette defined (0 '#fde725', 1 '#addc30', 2 '#5ec962', 3 '#28ae80', 4 '#21918c', 5 '#2c728e', 6 '#3b528b', 7 '#472d7b', 8 '#440154')
set logscale cb
set cbrange [1:32]
set style fill solid 1 noborder
unset colorbox
set tmargin at screen 0.87
set bmargin at screen 0.20
set multiplot
cell(threads, x) = column('threads') == threads ? x : NaN
do for [right = 0:1] {
  threads = right ? most_threads : fewest_threads
  set lmargin at screen (right ? 0.62 : 0.15)
  set rmargin at screen (right ? 0.99 : 0.52)
  set label 2 (right ? most : fewest) at graph 0, graph 1.03 left tc rgb ink font small
  if (right) { unset label 1 }
  plot data_heat using (cell(threads, column('column'))):(column('row')):(0.49):(0.49):(column('ratio')) with boxxyerror fc palette, \
       data_heat using (cell(threads, column('column'))):(column('row')):(sprintf(column('ratio') < 9.95 ? '%.1f' : '%.0f', column('ratio'))):(column('ratio') < 4 ? 0x1f2328 : 0xffffff) \
         with labels font ',9' tc rgb variable
}
unset multiplot
