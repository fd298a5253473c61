#: claim: D1
#: needs: distance/d1_positions.csv
#: title: Rounding the table hardly moves products of positions; 16-bit angles ruin them
#: caption: Largest |p_t·p_s − g(s − t)| over g(0) among 128 consecutive positions, d = 512, T = 10,000, by the format of the table (left,
#:   angles in float64) and of the angles ω_i t (right, table in float64). Dashed: the largest rounding errors possible. Dotted: g(0), the product of a
#:   position with itself. Exact up to rounding.
#: alt: Two panels, largest deviation of a product from the exact value at its distance against the position, both logarithmic, with
#:   largest rounding errors possible above the points. Left: tables in float32, float16 and bfloat16 stay level, bfloat16 at
#:   {{D1.deviation_share.bfloat16.float64|.1e}} of g(0). Right: angles in any format get worse with the position; float64 is
#:   off by {{D1.deviation_share.float64.float64|.1e}} of g(0) at a million, float32 by {{D1.deviation_share.float64.float32|.1e}};
#:   bfloat16 reaches {{D1.deviation_share.float64.bfloat16|.2f}} before.
#: size: 860x450
#: phone: 340x780

set logscale xy
set xlabel 'position t'
set ylabel 'largest deviation, over g(0)'
set xrange [90:1.4e6] noextend
set yrange [1e-16:1e3]
set xtics ('100' 100, '1,000' 1000, '10⁴' 1e4, '10⁵' 1e5, '10⁶' 1e6)
if (phone) { set xtics ('100' 100, '10⁴' 1e4, '10⁶' 1e6) }
set ytics ('10⁻¹⁵' 1e-15, '10⁻¹²' 1e-12, '10⁻⁹' 1e-9, '10⁻⁶' 1e-6, '0.1%%' 1e-3, '100%%' 1)
unset key
formats = 'float64 float32 float16 bfloat16'
pick2(table, angle, x) = (strcol('table') eq table && strcol('angle') eq angle) ? x : NaN
set multiplot

eval panel(1, 2)
set label 2 'table rounded, angles in float64' at graph 0, graph 1.06 left tc rgb ink
set label 3 'bfloat16' at 1.2e6, 0.04 right tc lt 4
set label 4 'float16' at 1.2e6, 1.1e-5 right tc lt 3
set label 5 'float32' at 1.2e6, 1.4e-9 right tc lt 2
set label 6 'float64' at 1.2e6, 3e-14 right tc lt 1
set label 7 'g(0)' at 110, 6 left tc rgb quiet
if (phone) { set label 4 at 1.2e6, 2.5e-6; set label 5 at 1.2e6, 3e-10 }
plot 1 with lines ls 11, \
     for [i = 1:4] data_d1_positions using (pick2(word(formats, i), 'float64', column('position'))):(column('worst') / 256) with linespoints ls i ps 0.8, \
     for [i = 1:4] data_d1_positions using (pick2(word(formats, i), 'float64', column('position'))):(column('bound') / 256) with lines ls 10

unset label 7
unset label 1
set label 2 'table in float64, angles rounded'
set label 3 'bfloat16' at 1.2e6, 12 right tc lt 4
set label 4 'float16' at 1500, 2.4e-3 left tc lt 3
set label 5 'float32' at 1.2e6, 2e-5 right tc lt 2
set label 6 'float64' at 1.2e6, 4e-14 right tc lt 1
eval panel(2, 2)
if (!phone) { set ylabel '' }
plot 1 with lines ls 11, \
     for [i = 1:4] data_d1_positions using (pick2('float64', word(formats, i), column('position'))):(column('worst') / 256) with linespoints ls i ps 0.8, \
     for [i = 1:4] data_d1_positions using (pick2('float64', word(formats, i), column('position'))):(column('bound') / 256) with lines ls 10
unset multiplot
