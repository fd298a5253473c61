#: claim: A5
#: needs: capacity/a5_region.csv capacity/a5_curve.csv
#: title: Bits of the word and bits of the position, for sums and for concatenations of each width
#: caption: Bits of the word against bits of the position: d = 32, L = 64, noise n of one and a half, a third of the power for the
#:   position; unlimited words (Gaussian). Squares: added, word or position decoded first; dots: concatenated, by number of
#:   dimensions; 99% intervals over {{A5.unlimited.adding.n}} simulated tables. 256 words: a5_curve.csv.
#: alt: Three rows of orange dots for concatenations, one row each for sinusoidal, centred and random positions, each with a pair of blue squares for
#:   the sum, below a dashed pentagon. With sinusoids a concatenation with 8 dimensions carries {{A5.unlimited_position.width8|.2f}} bits of
#:   position and {{A5.unlimited.width8|.2f}} in all, the sum {{A5.unlimited_position.adding|.2f}} and {{A5.unlimited.adding|.2f}}.
#: size: 860x470
#: phone: 340x420

families = 'sinusoidal centred random'
dash(k) = k == 3 ? random : sinusoidal
of(k, x) = strcol('positions') eq word(families, k) && strcol('words') eq 'unlimited' ? x : NaN
split_of(k, x) = strcol('kind') eq 'split' ? of(k, x) : NaN
sum_of(k, x) = strcol('kind') ne 'split' ? of(k, x) : NaN
unset key
set tmargin 3 + 1.3 * (title_lines - 1)
set xlabel 'bits of the word'
set ylabel 'bits of the position'
set xrange [4:9.7] noextend
set yrange [1:5.2] noextend
set ytics 1
set xtics 1
set label 2 'sinusoidal' at 4.15, 1.45 left tc rgb ink
set label 3 'centred' at 4.15, 3.06 left tc rgb ink
set label 4 'random' at 4.15, 3.94 left tc rgb ink
set label 5 'bound (Gaussian codebooks)' at 4.15, 4.83 left tc rgb quiet
set label 6 'added' at 8.62, 3.05 left tc lt added
set label 7 'concatenated: d_{p}  from 4 to 28' at 5.2, 2.2 left tc lt concatenated
if (phone) { set label 7 "concatenated:\nd_{p}  from 4 to 28" at 4.6, 2.6 }
plot data_a5_curve using (pick('kind', 'pentagon', column('word'))):(column('position')) with lines ls 10, \
     for [k = 1:3] data_a5_region using (split_of(k, column('word'))):(column('position')) with lines ls concatenated lw 1.2 dt dash(k), \
     for [k = 1:3] data_a5_region using (split_of(k, column('word'))):(column('position')):(column('word_low')):(column('word_high')):(column('position_low')):(column('position_high')) with xyerrorbars ls concatenated pt 7 ps 0.5 lw 1, \
     for [k = 1:3] data_a5_region using (sum_of(k, column('word'))):(column('position')) with linespoints ls added pt 5 ps 1.1 lw 2 dt dash(k)
