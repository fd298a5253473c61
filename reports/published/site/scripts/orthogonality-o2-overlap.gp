#: claim: O2
#: needs: orthogonality/o2_overlap.csv
#: title: Mean squared cosine of words with positions, family by family, beside chance
#: caption: Mean squared cosine of all words with 2,048 sinusoidal positions, times d, at d = 512; bars: the
#:   {{O2.mean_square.gaussian.d512.l2048.level|.1%}} interval for two fixed tables under a random rotation{{#measured O2.mean_square.real}}. Below:
#:   20,000 word vectors of 300 dimensions, as many Gaussian ones beside them{{/measured}}. Dotted: chance. Other widths are in the table; orange
#:   would miss chance.
#: alt: Mean squared cosine of words with positions, times the dimension, a row for each of five random families
#:   {{#measured O2.mean_square.real}}and for real words{{/measured}}, around one. Gaussian words:
#:   {{O2.mean_square.gaussian.d512.l2048|.3f}}{{#measured O2.mean_square.real}}; real words: {{O2.mean_square.real|.3f}}, without
#:   their mean {{O2.mean_square.real_centred|.3f}}, which an SVD's axes make so by algebra{{/measured}}.
#: size: 760x400
#: phone: 340x440

families = 'gaussian sphere uniform rademacher anisotropic real real_centred real_rotated'
says = '"Gaussian" "on the sphere" "uniform" "random signs" "with a common mean" "real words" "real words, centred" "real words, rotated"'
stats data_o2_overlap using (strcol('family') eq 'real' ? column('words') : 0) nooutput
control = STATS_max
is_control(dummy) = control > 0 && strcol('family') eq 'gaussian' && column('words') == control
chosen(dummy) = column('positions') == 2048 && (column('d') == 512 || is_control(0) || strcol('family')[1:4] eq 'real')
row(dummy) = chosen(0) ? (is_control(0) ? 9.5 : place_in(strcol('family'), families) + (strcol('family')[1:4] eq 'real' ? 0.5 : 0)) : NaN
misses(dummy) = column('low') > column('theory') || column('high') < column('theory')
set ytics () scale 0 textcolor rgb ink
do for [i = 1:words(families)] { if (i < 6 || control > 0) { set ytics add (word(says, i) i + (i > 5 ? 0.5 : 0)) } }
if (control > 0) { set ytics add ('Gaussian, as many' 9.5) }
set xlabel (phone ? 'mean cos² × d' : 'mean squared cosine × d')
set yrange [(control > 0 ? 10.1 : 5.6):0.4] noextend
if (phone) { set xtics 0.1 } else { set xtics 0.05 }
set lmargin 21
set tmargin 4.4 + 1.3 * (title_lines - 1)
set grid noy
unset key
set arrow 1 from first 1, graph 0 to first 1, graph 1 nohead ls 11
set label 2 'chance' at first 1, graph 1.035 center tc rgb quiet
plot data_o2_overlap using (column('mean_square_d')):(row(0)):(column('low')):(column('high')):(1 + misses(0)) \
       with xerrorbars pt 7 ps 0.8 lw 2 lc variable
