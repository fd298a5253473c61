#: claim: B1
#: finding: B1.slower.most
#: needs: bench/operations.csv
#: title: Where the library matters: time over that of the fastest, threads: {{B1.threads.most}}
#: caption: Operations in which a library takes 1½ times the default's time or more, or two thirds of it or less, significantly. Geometric
#:   means over shapes and types, {{B1.rounds}} rounds. Hollow: other libraries as they pick their kernels, and the fastest; named where they differ
#:   significantly from the default.
#: alt: A line for each operation in which libraries differ, a mark for each library at its time over that of the fastest. The default takes
#:   1½ times that or more in {{B1.slower.most|d}} operations.
#: text: usual = {{parameter.bench.backend}}
#: size: 900x440

is_most(x) = strcol('at') eq 'most' && column('place') > 0 ? x : NaN
stats data_operations using (strcol('at') eq 'most' && column('place') > 0 ? column('place') : 0) nooutput
many = int(STATS_max)
if (many == 0) {
  set label 90 'In these rounds no operation differs significantly.' at graph 0.5, graph 0.5 center tc rgb ink
  set xrange [0:1] noextend; set yrange [0:1] noextend; unset tics; unset border
  plot -1 notitle
  exit
}
array title[many]
do for [i = 1:many] {
  title[i] = ''
  stats data_operations using (is_most(column('place')) == i ? (title[i] = strcol('title'), i) : NaN) nooutput
}
mine(x) = strcol('backend') eq usual ? is_most(x) : NaN
other(x) = strcol('backend') ne usual ? is_most(x) : NaN
named(x) = strcol('told') eq 'yes' ? other(x) : NaN

set logscale x
set xrange [0.7:*]
set yrange [many + 0.6:0.2] noextend
set xlabel 'time over that of the fastest'
set ytics () scale 0 noenhanced
do for [i = 1:many] { set ytics add (title[i] i) }
set lmargin phone ? 10 : 26
plot data_operations using (mine(column('ratio'))):(column('place')) with points ls 2 pt 7 ps 1.2 title usual.', the default', \
     data_operations using (other(column('ratio'))):(column('place')) with points ls 1 pt 6 ps 1 title 'others', \
     data_operations using (named(column('ratio'))):(column('place')):(strcol('backend')) with labels offset 0, 0.8 font small tc rgb ink noenhanced notitle
