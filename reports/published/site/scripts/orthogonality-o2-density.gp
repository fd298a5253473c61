#: claim: O2
#: needs: orthogonality/o2_density.csv
#: title: Cosines of words with positions, family by family, beside independent directions
#: size: 760x480
#: caption: Distribution of the cosines of every word with each of 2,048 sinusoidal positions, times √d, for random families at d =
#:   512{{#measured O2.mean_square.real}} and for real words{{/measured}}. Dashed: independent directions. Only the mean square of two
#:   fixed tables is bound to chance, not every value: a common mean shifts the curve.
#: alt: Distribution of the cosines of words with positions, times the root of the dimension: bells around zero, all close to theory for
#:   unrelated directions. Mean square times the dimension, at chance one: {{O2.mean_square.gaussian.d512.l2048|.3f}} for Gaussian words,
#:   {{O2.mean_square.anisotropic.d512.l2048|.3f}} for words with a common mean{{#measured O2.mean_square.real}},
#:   {{O2.mean_square.real|.3f}} for real words{{/measured}}.

families = 'gaussian uniform rademacher anisotropic'
stats data_o2_density using (strcol('family') eq 'real') nooutput
if (STATS_sum > 0) { families = families . ' real' }
rows = words(families)
base(i) = 0.5 * (rows - i)  # every family on a line of its own, the first on top
of(i, x) = strcol('family') eq word(families, i) && column('positions') == 2048 ? x : NaN

set xlabel 'cosine × √d'
set xrange [-4.5:4.5] noextend
set yrange [-0.05:base(1) + 0.48] noextend
if (phone) { set xtics 2 } else { set xtics 1 }
unset ytics
set border 1
set key off
set lmargin 19
set tmargin 3 + 1.3 * (title_lines - 1)
unset grid
set grid x
do for [i = 1:rows] { set label 1 + i display_name(word(families, i)) at -4.7, base(i) + 0.05 right tc lt i }
set label 20 'chance' at 1.9, base(1) + 0.22 left tc rgb quiet
set arrow 20 from 1.85, base(1) + 0.21 to 1.25, base(1) + 0.19 nohead lc rgb quiet lw 1
plot for [i = 1:rows] data_o2_density every (phone ? 2 : 1) using (of(i, column('cosine_sqrt_d'))):(base(i)):(base(i) + column('density')) \
       with filledcurves fs solid interval_fill ls i, \
     for [i = 1:rows] data_o2_density every (phone ? 2 : 1) using (of(i, column('cosine_sqrt_d'))):(base(i) + column('density')) \
       with lines ls i lw 1.5, \
     for [i = 1:rows] data_o2_density every (phone ? 2 : 1) using (of(i, column('cosine_sqrt_d'))):(base(i) + column('law')) with lines ls 10
