#: claim: O2
#: needs: orthogonality/o2_overlap.csv
#: title: How much words overlap with positions, beside chance
#: caption: Mean square cosine of all words with all of 2,048 sinusoidal positions, times d, with the
#:   {{O2.mean_square.gaussian.d512.l2048.level|.1%}} interval for two fixed tables in random rotation, taken as normal
#:   (which is short above for words with one strong direction). In every family d grows from top to
#:   bottom{{#measured O2.mean_square.gaussian.d512.l8192}}, from 64 to 2,048, and the lowest row is for 8,192 positions at
#:   d = 512{{/measured}}. Dotted: chance. Orange: intervals that miss it. The pairs of two tables are not independent, hence
#:   the width; counted as independent, Gaussian words at d = 512 would seem
#:   {{O2.z_pairwise.gaussian.d512.l2048|+.0f}} standard deviations off.
#: alt: Mean square cosine of words with positions, times the dimension, for five random families in several dimensions
#:   {{#measured O2.mean_square.real}}and for real words{{/measured}}: the intervals surround chance, one, with rare
#:   exceptions. Gaussian words at d = 512: {{O2.mean_square.gaussian.d512.l2048|.3f}}{{#measured O2.mean_square.real}};
#:   real words: {{O2.mean_square.real|.3f}}, without their mean {{O2.mean_square.real_centred|.3f}}{{/measured}}.
#: size: 760x560

# The rows of one family lie under each other; those of the real words are followed by their control, as many
# Gaussian words of the same dimension.
families = 'gaussian sphere uniform rademacher anisotropic real real_centred real_rotated'
set ytics ('Gaussian' 1, 'sphere' 2, 'uniform' 3, 'Rademacher' 4, 'with a common mean' 5, \
           'real words' 5.9, 'real, centred' 6.35, 'real, rotated' 6.8, \
           'Gaussian, as many' 7.25)
stats data_o2_overlap using (strcol('family') eq 'real' ? column('words') : 0) nooutput
control_words = STATS_max
stats data_o2_overlap using (strcol('family') eq 'real' ? column('d') : 0) nooutput
control_d = STATS_max
is_control(dummy) = strcol('family') eq 'gaussian' && column('words') == control_words && column('d') == control_d
place(name) = sum [i = 1:words(families)] (name eq word(families, i) ? i : 0)
within(d, positions) = 0.11 * (log(d) / log(2) - 8.5) + (positions > 2048 ? 0.31 : 0)
row(dummy) = is_control(0) ? 7.25 : place(strcol('family')) > 5 ? 3.2 + 0.45 * place(strcol('family')) : \
             place(strcol('family')) + within(column('d'), column('positions'))
misses(dummy) = column('low') > column('theory') || column('high') < column('theory')

stats data_o2_overlap using (row(0)) nooutput
last = STATS_max
rows = STATS_records
stats data_o2_overlap using (misses(0)) nooutput
off = STATS_sum

set xlabel 'mean square cosine × d'
set yrange [last + 0.55:0.4] noextend
set xtics 0.1
set lmargin 19
set tmargin 3.8
unset grid
set grid x
unset key
set arrow 1 from first 1, graph 0 to first 1, graph 1 nohead ls 11
set label 2 'chance' at first 1, graph 1.02 center tc rgb quiet
set label 3 sprintf('%d of %d intervals hold chance', rows - off, rows) at graph 0.99, graph 0.04 right tc rgb quiet
plot data_o2_overlap \
       using (column('mean_square_d')):(row(0)):(column('low')):(column('high')):(1 + misses(0)) \
       with xerrorbars pt 7 ps 0.5 lw 2 lc variable
