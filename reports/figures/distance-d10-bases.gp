#: claim: D10
#: needs: distance/d10_bases.csv distance/d10_grid.csv distance/d10_laws.csv distance/d10_models.csv
#: title: The base that a context needs grows faster the narrower the head is, and good bases have holes
#: caption: Rotary bases T with Σ cos(m T^(−2i/d)) ≥ 0 at every lag m = 1 … L. Bars run from the least good base (filled) to the
#:   safe one, from which on all are good (open), exact for L up to 16,384; crosses: the least base of a grid up to 10⁹.
#:   Points of one L lie side by side. Dashed: the closed form of the least base for each d, and L/.6165 for d → ∞. Dotted: the
#:   published fit .0424·L^1.628. Stars: models, by the context they were trained for; those below the points of their colour have a
#:   base that is too small by this condition. Nothing is drawn at random.
#: alt: Base T against context L, both logarithmic. At L = 4,096 the least good base is {{D10.least.l4096.d64|.3g}} for
#:   d = 64, {{D10.least.l4096.d128|.3g}} for 128, {{D10.least.l4096.d256|.3g}} for 256 and {{D10.least.l4096.d1024|.3g}} for 1,024, safe bases
#:   lie at {{D10.safe.l4096.d64|.3g}}, {{D10.safe.l4096.d128|.3g}}, {{D10.safe.l4096.d256|.3g}} and {{D10.safe.l4096.d1024|.3g}}; slopes rise as d
#:   falls, and the published fit follows d = 128 alone.
#: size: 860x560

set logscale x 2
set logscale y
set xlabel 'context L'
set ylabel 'base T'
set xrange [420:1500000] noextend
set yrange [500:2e9] noextend
set xtics ('512' 512, '1,024' 1024, '2,048' 2048, '4,096' 4096, '8,192' 8192, '16,384' 16384, '65,536' 65536, '262,144' 262144, \
  '1,048,576' 1048576)
set ytics ('10³' 1e3, '10⁴' 1e4, '10⁵' 1e5, '10⁶' 1e6, '10⁷' 1e7, '10⁸' 1e8, '10⁹' 1e9)
set rmargin 5
unset key
widths = '64 128 256 1024'
width(i) = word(widths, i) + 0
of(i, x) = column('d') == width(i) ? x : NaN
strict(i, x) = (column('tolerance') == 0 && column('d') == width(i)) ? x : NaN
beside(i) = column('l') * 1.09 ** (i - 2.5)
named(x) = column('context') > 0 ? x : NaN
style_of_width(d) = d == 64 ? 1 : 2
set label 2 'd = 64' at 1.2e5, 6e8 right tc ls 1
set label 3 '128' at 1.05e6, 6.5e8 left tc ls 2
set label 4 '256' at 1.05e6, 5.5e7 left tc ls 3
set label 5 '1,024' at 1.05e6, 9e6 left tc ls 4
set label 6 'd → ∞' at 1.05e6, 1.5e6 left tc rgb quiet
set label 7 'published fit' at 3.2e5, 2e7 left tc rgb quiet
plot data_d10_laws using (of(1, column('l'))):(column('limit')) with lines ls 10, \
     data_d10_laws using (of(1, column('l'))):(column('published')) with lines ls 11, \
     for [i = 1:4] data_d10_laws using (of(i, column('l'))):(column('least')) with lines ls i lw 1.4 dt (6, 4), \
     for [i = 1:4] data_d10_bases using (strict(i, beside(i))):(column('safe')):(column('least')):(column('safe')) with yerrorbars ls i pt 6 ps 0.7, \
     for [i = 1:4] data_d10_bases using (strict(i, beside(i))):(column('least')) with points ls i pt 7 ps 0.7, \
     for [i = 1:4] data_d10_grid using (strict(i, column('l'))):(column('least')) with points ls i pt 2 ps 0.8, \
     for [i = 1:2] data_d10_models using (of(i, named(column('context')))):(column('base')) with points ls i pt 3 ps 1.3, \
     data_d10_models using (named(column('context'))):(column('base')):(strcol('model')) with labels offset 0.8, -0.7 left tc rgb ink noenhanced
