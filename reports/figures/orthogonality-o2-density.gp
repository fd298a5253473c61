#: claim: O2
#: needs: orthogonality/o2_density.csv
#: title: Cosines of words with positions, beside those of chance
#: size: 760x480
#: caption: Distribution of the cosines between every word and each of 2,048 sinusoidal positions, times √d, for
#:   {{O2.mean_square.gaussian.d512.l2048.n}} pairs of each random family at d = 512{{#measured O2.mean_square.real}} and
#:   {{O2.mean_square.real.n}} pairs of real words{{/measured}}. Dashed: the law for two directions that know nothing of
#:   each other. Two fixed tables need not follow it value by value: those with a common mean sit beside it as that one
#:   direction happens to lie; only their mean square is bound to chance.
#: alt: Distribution of the cosines of words with positions, times the root of the dimension: bells around zero, all close
#:   to the law of unrelated directions. Mean square times the dimension, at chance one:
#:   {{O2.mean_square.gaussian.d512.l2048|.3f}} for Gaussian words, {{O2.mean_square.anisotropic.d512.l2048|.3f}} for words
#:   with a common mean{{#measured O2.mean_square.real}}, {{O2.mean_square.real|.3f}} for real words{{/measured}}.

families = 'gaussian uniform rademacher anisotropic'
stats data_o2_density using (strcol('family') eq 'real') nooutput
if (STATS_sum > 0) { families = families . ' real' }
full_name(name) = name eq 'gaussian' ? 'Gaussian' : name eq 'rademacher' ? 'Rademacher' : \
                  name eq 'anisotropic' ? 'with a common mean' : name eq 'real' ? 'real words' : name
rows = words(families)
base(i) = 0.5 * (rows - i)  # every family on a line of its own, the first on top
of(i, x) = strcol('family') eq word(families, i) && column('positions') == 2048 ? x : NaN

set xlabel 'cosine × √d'
set xrange [-4.5:4.5] noextend
set yrange [-0.05:base(1) + 0.48] noextend
set xtics 1
unset ytics
set border 1
set key off
set lmargin 19
set tmargin 3
unset grid
set grid x
do for [i = 1:rows] { set label 1 + i full_name(word(families, i)) at -4.7, base(i) + 0.05 right tc lt i }
set label 20 'law of chance' at 1.9, base(1) + 0.22 left tc rgb quiet
set arrow 20 from 1.85, base(1) + 0.21 to 1.25, base(1) + 0.19 nohead lc rgb quiet lw 1
plot for [i = 1:rows] data_o2_density using (of(i, column('cosine_sqrt_d'))):(base(i)):(base(i) + column('density')) \
       with filledcurves fs solid interval_fill ls i, \
     for [i = 1:rows] data_o2_density using (of(i, column('cosine_sqrt_d'))):(base(i) + column('density')) \
       with lines ls i lw 1.5, \
     for [i = 1:rows] data_o2_density using (of(i, column('cosine_sqrt_d'))):(base(i) + column('law')) with lines ls 10
