#: claim: D10
#: needs: distance/d10_bases.csv distance/d10_grid.csv distance/d10_laws.csv distance/d10_models.csv
#: title: The narrower the head, the larger a RoPE base it needs for a given context
#: caption: RoPE bases T for which Σ cos(m T^(−2i/d)) ≥ 0 at every distance m ≤ L. Bars: from the least good base (filled) to the one above
#:   which all are good (open), exact to 16,384; crosses: least base of a grid. Dashed: theory. Dotted: published fit. Stars: models; those
#:   below their colour's points fail.
#: alt: Base T against context L, both logarithmic. At L = 4,096 the least good base is {{D10.least.l4096.d64|.3g}} for d = 64,
#:   {{D10.least.l4096.d128|.3g}} for 128, {{D10.least.l4096.d256|.3g}} for 256 and {{D10.least.l4096.d1024|.3g}} for 1,024, safe bases
#:   lie at {{D10.safe.l4096.d64|.3g}}, {{D10.safe.l4096.d128|.3g}}, {{D10.safe.l4096.d256|.3g}} and {{D10.safe.l4096.d1024|.3g}}; slopes
#:   rise as d falls, and the published fit follows d = 128 alone.
#: size: 860x560
#: phone: 340x560

# Grids of the wider heads belong to the long preset.
stats data_d10_grid using (column('d') > 128 ? 1 : 0) nooutput
gridded = STATS_sum > 0 ? 4 : 2
set logscale x 2
set logscale y
set xlabel 'context L'
set ylabel 'base T'
set xrange [420:1500000] noextend
set yrange [500:2e9] noextend
set xtics ('512' 512, '1,024' 1024, '2,048' 2048, '4,096' 4096, '8,192' 8192, '16,384' 16384, '65,536' 65536, '262,144' 262144, \
  '1,048,576' 1048576)
if (phone) { set xtics ('1,024' 1024, '8,192' 8192, '65,536' 65536) }
set ytics ('10³' 1e3, '10⁴' 1e4, '10⁵' 1e5, '10⁶' 1e6, '10⁷' 1e7, '10⁸' 1e8, '10⁹' 1e9)
set rmargin (phone ? 7 : 5)
unset key
widths = '64 128 256 1024'
width(i) = word(widths, i) + 0
of(i, x) = column('d') == width(i) ? x : NaN
beside(i) = column('l') * 1.09 ** (i - 2.5)
named(x) = column('context') > 0 ? x : NaN
set label 2 'd = 64' at 1.6e5, 4e8 right tc lt 1
set label 3 '128' at 1.05e6, 6.5e8 left tc lt 2
set label 4 '256' at 1.05e6, 5.5e7 left tc lt 3
set label 5 '1,024' at 1.05e6, 9e6 left tc lt 4
set label 6 'd → ∞' at 1.05e6, 1.5e6 left tc rgb quiet
# Models: a star, and its name where there is room.
set arrow from 2109, 7.8e+03 to 2700, 1.68e+03 nohead lc rgb quiet
set label 11 'TinyLlama 1.1B' at 2700, 1.2e+03 left tc rgb ink
set arrow from 4219, 7.8e+03 to 5300, 4.2e+03 nohead lc rgb quiet
set label 12 'Llama 2 7B' at 5300, 3e+03 left tc rgb ink
set arrow from 8438, 7.8e+04 to 11000, 9.8e+03 nohead lc rgb quiet
set label 13 'SmolLM2 135M' at 11000, 7e+03 left tc rgb ink
set arrow from 16876, 7.8e+05 to 23000, 2.38e+04 nohead lc rgb quiet
set label 14 'Code Llama 7B' at 23000, 1.7e+04 left tc rgb ink
set arrow from 33751, 7.8e+05 to 47000, 5.88e+04 nohead lc rgb quiet
set label 15 'Qwen2.5 0.5B' at 47000, 4.2e+04 left tc rgb ink
set arrow from 7900, 6.4e5 to 5000, 7e6 nohead lc rgb quiet
set label 16 'Llama 3 8B' at 2300, 1e7 left tc rgb ink
plot data_d10_laws using (of(1, column('l'))):(column('limit')) with lines ls 10, \
     data_d10_laws using (of(1, column('l'))):(column('published')) with lines ls 11, \
     for [i = 1:4] data_d10_laws using (of(i, column('l'))):(column('least')) with lines ls i lw 1.4 dt (6, 4), \
     for [i = 1:4] data_d10_bases using (of(i, beside(i))):(column('least')):(0):(column('safe') - column('least')) with vectors nohead ls i, \
     for [i = 1:4] data_d10_bases using (of(i, beside(i))):(column('safe')) with points ls i pt 6 ps 0.7, \
     for [i = 1:4] data_d10_bases using (of(i, beside(i))):(column('least')) with points ls i pt 7 ps 0.7, \
     for [i = 1:gridded] data_d10_grid using (of(i, column('l'))):(column('least')) with points ls i pt 2 ps 0.8, \
     for [i = 1:2] data_d10_models using (of(i, named(column('context')))):(column('base')) with points ls i pt 3 ps 1.3
