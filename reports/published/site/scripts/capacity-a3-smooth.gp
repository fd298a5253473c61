#: claim: A3
#: finding: A3.gram.learned.sinusoidal.r16
#: needs: capacity/a3_smooth.csv
#: title: What one matrix leaves of smooth targets, by the rank that is asked of words
#: caption: Residual of the best matrix against the rank r that is asked of words (their learned vectors' Gram matrix, cut to r);
#:   positions score by exp(−|t − s|/32), nothing across. Open: learned words cut to those r directions. Dotted: random words and
#:   random positions apart, in d dimensions each. Bars: 99% intervals over draws.
#: alt: Residual against r on a logarithmic axis. Random words and positions leave {{A3.gram.random.random.r16|.0%}} at every r, learned
#:   words with random positions {{A3.gram.learned.random.r16|.0%}}, learned words with sinusoids
#:   {{A3.gram.learned.sinusoidal.r16|.0%}}; cut to the directions that are asked for {{A3.gram.fewer.sinusoidal.r16|.1%}}.
#: size: 760x400
#: phone: 340x420

set logscale x 2
set xrange [3:340] noextend
set yrange [-0.03:1.1]
set xtics (4, 16, 64, 256)
set ytics ('0' 0, '20%%' 0.2, '40%%' 0.4, '60%%' 0.6, '80%%' 0.8, '100%%' 1)
set xlabel 'rank r of the words’ targets'
set ylabel 'residual'
unset key
set tmargin 3 + 1.3 * (title_lines - 1)
set label 2 'random words, random positions' at first 3.5, first 0.87 left tc lt 5
set label 3 'learned words, random positions' at first 3.5, first 0.40 left tc lt 1
set label 4 'learned words, sinusoids' at first 3.5, first 0.20 left tc lt 2
if (phone) { set label 5 'only r directions, sinusoids' at first 4.7, first 0.055 left tc lt 3 } else { set label 5 'only the r directions asked for, sinusoids' at first 19, first 0.03 left tc lt 3 }
arm(w, p, x) = (strcol('tables') eq w && strcol('positions') eq p) ? x : NaN
texts = 'random learned learned fewer'
positions = 'random random sinusoidal sinusoidal'
colours = '5 1 2 3'
shapes = '7 7 7 6'
plot data_a3_smooth using (arm('random', 'random', column('r'))):(column('apart')) with lines ls 11, \
     for [i = 1:4] data_a3_smooth using (arm(word(texts, i), word(positions, i), column('r'))):(column('residual')):(column('low')):(column('high')) with yerrorbars ls (word(colours, i) + 0) pt (word(shapes, i) + 0)
