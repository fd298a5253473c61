#: claim: D1
#: needs: distance/d1_positions.csv
#: title: A bfloat16 table moves products by up to {{D1.deviation_share.bfloat16.float64|.2%}} of g(0), bfloat16 angles by
#:   {{D1.deviation_share.float64.bfloat16|.0%}}
#: caption: Largest |p_t·p_s − g(s − t)| among 128 consecutive positions, d = 512, T = 10,000, by the format that holds the table
#:   (left, angles in float64) and the format that computes the angles ω_i t (right, table in float64). Dashed: rounding
#:   bounds. Dotted: g(0) = d/2, the product of a position with itself. {{D1.deviation_share.float64.float64.n}} products a
#:   curve (float16 angles fewer: the format ends at 65,519). Exact up to rounding: nothing is drawn at random.
#: alt: Two panels, largest deviation of a product from its lag's exact value against the position, both logarithmic, with
#:   rounding bounds above the points. Left: tables in float32, float16 and bfloat16 stay level, bfloat16 at
#:   {{D1.deviation_share.bfloat16.float64|.1e}} of g(0). Right: angles in any format get worse in proportion to the position;
#:   float64 is off by {{D1.deviation_share.float64.float64|.1e}} of g(0) at a million, float32 by
#:   {{D1.deviation_share.float64.float32|.1e}}, bfloat16 by {{D1.deviation_share.float64.bfloat16|.2f}}.
#: size: 860x450

set logscale xy
set xlabel 'position t'
set ylabel 'largest deviation from g(s − t)'
set xrange [90:1.4e6] noextend
set yrange [3e-14:3e5]
set xtics ('100' 100, '1,000' 1000, '10⁴' 1e4, '10⁵' 1e5, '10⁶' 1e6)
set ytics ('10⁻¹²' 1e-12, '10⁻⁹' 1e-9, '10⁻⁶' 1e-6, '10⁻³' 1e-3, '1' 1, '10³' 1e3)
unset key
formats = 'float64 float32 float16 bfloat16'
pick2(table, angle, x) = (strcol('table') eq table && strcol('angle') eq angle) ? x : NaN
set multiplot
set tmargin at screen 0.82
set bmargin at screen 0.14

set lmargin at screen 0.10
set rmargin at screen 0.46
set label 2 'table rounded, angles in float64' at graph 0.02, graph 0.95 left tc rgb ink
set label 3 'bfloat16' at 1.2e6, 10 right tc lt 4
set label 4 'float16' at 1.2e6, 2.8e-3 right tc lt 3
set label 5 'float32' at 1.2e6, 3.5e-7 right tc lt 2
set label 6 'float64' at 1.2e6, 8e-12 right tc lt 1
set label 7 'g(0)' at 110, 1400 left tc rgb quiet
plot 256 with lines ls 11, \
     for [i = 1:4] data_d1_positions using (pick2(word(formats, i), 'float64', column('position'))):(column('worst')) with linespoints ls i ps 0.8, \
     for [i = 1:4] data_d1_positions using (pick2(word(formats, i), 'float64', column('position'))):(column('bound')) with lines ls 10

unset label 7
unset label 1
set label 2 'table in float64, angles rounded'
set label 3 'bfloat16' at 1.2e6, 3e3 right tc lt 4
set label 4 'float16' at 1500, 6e-1 left tc lt 3
set label 5 'float32' at 1.2e6, 5e-3 right tc lt 2
set label 6 'float64' at 1.2e6, 1e-11 right tc lt 1
set lmargin at screen 0.60
set rmargin at screen 0.97
set ylabel ''
plot 256 with lines ls 11, \
     for [i = 1:4] data_d1_positions using (pick2('float64', word(formats, i), column('position'))):(column('worst')) with linespoints ls i ps 0.8, \
     for [i = 1:4] data_d1_positions using (pick2('float64', word(formats, i), column('position'))):(column('bound')) with lines ls 10
unset multiplot
