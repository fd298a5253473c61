#: claim: O4
#: finding: O4.z.real.k10
#: needs: orthogonality/o4_real.csv
#: title: An SVD's leading axes and positions: mean squared principal cosine, also rotated
#: caption: Mean squared principal cosine of the real words' k leading dimensions with those of 2,048 sinusoidal positions. Dotted:
#:   chance, k/d, in a band of {{O4.mean_square.real.k10.level|.0%}} of draws; bars: 99% intervals over rotations. Numbers: departure in
#:   standard deviations. Both tables come with sorted axes; a rotation takes that away.
#: alt: Mean squared principal cosine of the real words' leading dimensions with the positions', against their number k. Along the words'
#:   own axes it lies {{O4.z.real.k10|+.1f}} standard deviations from chance at k = 10 {{#measured O4.z.real.k30}}, {{O4.z.real.k30|+.1f}}
#:   at k = 30{{/measured}}{{#measured O4.z.real.k82}} and {{O4.z.real.k82|+.1f}} at k = 82{{/measured}}; after random rotations
#:   {{O4.z.real_rotated.k10|+.1f}}{{#measured O4.z.real_rotated.k30}},
#:   {{O4.z.real_rotated.k30|+.1f}}{{/measured}}{{#measured O4.z.real_rotated.k82}} and {{O4.z.real_rotated.k82|+.1f}}{{/measured}}.
#: phone: 340x400

set xlabel (phone ? 'leading dimensions k' : 'leading dimensions k, of words and of positions')
set ylabel 'mean squared principal cosine'
set xrange [0:*]
set yrange [0:*]
set offsets 0, graph 0.08, graph 0.08, graph (phone ? 0.18 : 0.1)
set tmargin 3 + 1.3 * (title_lines - 1)
unset key
of(name, x) = pick('words', name, x)
band = 2.5758  # standard deviations: 99% of a normal
signed(z) = sprintf(z < 0 ? '−%.0f' : '+%.0f', abs(z))
sd(draws) = band * column('mean_square_sd') / sqrt(draws)
stats data_o4_real using (column('k')) nooutput
widest = STATS_max
stats data_o4_real using (column('mean_square_theory')) nooutput
chance = STATS_max
stats data_o4_real using (band * column('mean_square_sd')) nooutput
set label 4 'chance, k/d' at 0.42 * widest, 0.42 * chance + STATS_max offset 0, 1 right tc rgb quiet
set label 2 'along their own axes' at 0.75 * widest, graph 0.8 right tc lt 2
set label 3 'rotated at random' at widest, graph (phone ? 0.13 : 0.42) right tc lt 1
plot data_o4_real using (of('real', column('k'))):(column('mean_square_theory') - sd(1)):(column('mean_square_theory') + sd(1)) \
       with filledcurves fs solid interval_fill fc rgb quiet, \
     data_o4_real using (of('real', column('k'))):(column('mean_square_theory')) with lines ls 11, \
     data_o4_real using (of('real_rotated', column('k'))):(column('mean_square')):(sd(column('draws'))) with yerrorbars ls 1 ps 0.8, \
     data_o4_real using (of('real', column('k'))):(column('mean_square')) with linespoints ls 2 ps 0.8, \
     for [sign in '-1 1'] data_o4_real \
       using (of('real', column('k'))):(column('mean_square')):(sign * column('z') > 0 ? signed(column('z')) : '') \
       with labels offset 0, sign * 1 tc lt 2
