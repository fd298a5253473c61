#: claim: B1
#: needs: bench/roofline.csv
#: title: What operations can reach here: memory's bandwidth on the left, multiply-adds on the right
#: caption: Rate of the fastest backend for each operation, shape and type (threads: {{B1.threads.most}}) against the operations that it makes for
#:   each byte it must move. Dashed: the roof, the lower of bandwidth × intensity and the rate of fused multiply-adds (Williams, Waterman
#:   and Patterson 2009). Points above it stay in a cache.
#: alt: Two panels, float32 and float64, rate against arithmetic intensity on logarithmic axes. The roof rises with
#:   {{B1.bandwidth.most|.0f}} billion bytes a second and flattens at {{B1.fma.f32.most|.0f}} and {{B1.fma.f64.most|.0f}} billion
#:   operations a second; square products come to within {{B1.gemm_share.f32.most|.0%}} and {{B1.gemm_share.f64.most|.0%}} of it.
#: size: 900x460

set key at screen 0.012, screen 0.90 maxrows 1
set logscale xy
set xrange [0.1:1000] noextend
set yrange [1:1000] noextend
set xtics 10
set ytics 10
set xlabel 'operations a byte'
set tmargin at screen 0.78
kind = 'BLAS LAPACK here'
roof(x, bandwidth, fma) = x * bandwidth < fma ? x * bandwidth : fma
set multiplot
do for [panel = 0:1] {
  type = panel == 0 ? 'f32' : 'f64'
  stats data_roofline using (strcol('type') eq type ? column('fma') : NaN) nooutput
  fma = STATS_max
  stats data_roofline using (strcol('type') eq type ? column('bandwidth') : NaN) nooutput
  bandwidth = STATS_max
  set lmargin at screen (panel ? 0.57 : 0.09)
  set rmargin at screen (panel ? 0.97 : 0.49)
  if (panel == 0) { set ylabel '10⁹ operations a second' offset 1, 0 textcolor rgb ink } else { set ylabel ''; unset label 1; unset key }
  set label 2 (panel == 0 ? 'float32' : 'float64') at graph 0.02, graph 1.05 left tc rgb ink font small
  plot roof(x, bandwidth, fma) ls 10 notitle, \
       for [i = 1:3] data_roofline using (strcol('type') eq type && column('kind') == i ? column('intensity') : NaN):(column('gflops')) \
         with points ls (i == 3 ? 5 : i) ps 0.9 title (i == 1 ? 'BLAS' : i == 2 ? 'LAPACK' : 'kernels of this library')
}
unset multiplot
