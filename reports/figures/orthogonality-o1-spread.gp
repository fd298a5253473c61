#: claim: O1
#: needs: orthogonality/o1_spread.csv
#: title: Cosines of random pairs shrink as one over √d, unless the words share a direction
#: caption: Root mean square cosine of random pairs in each dimension ({{O1.spread.gaussian.d512.n}} pairs at d = 512), and
#:   the same times √d, magnified and without d = 768, with {{O1.spread.gaussian.d512.level|.0%}} intervals. Dashed: the exact value for
#:   entries that are independent and symmetric; the worst row departs from it by {{O1.spread_departure|.2%}}. Words with a
#:   common mean do not go along: their cosines end at that of the direction which they share.
#: alt: Left, root mean square cosine of random pairs against the dimension, on logarithmic axes: four families of words
#:   fall together on theory's line, one over the root of the dimension; words with a common mean level off, at d = 512
#:   {{O1.spread.anisotropic.d512|.1f}} times as high. Right, the four families magnified: every row lies on the line, the
#:   worst within {{O1.spread_departure|.2%}} of it.
#: size: 860x430

families = 'gaussian sphere uniform rademacher'
names = 'Gaussian sphere uniform Rademacher'
beside(i) = 1 + 0.09 * (i - 2.5)  # side by side, so that intervals do not hide each other

set logscale x 2
set xlabel 'dimension d'
set xrange [*:*] noextend
set yrange [*:*] noextend
set multiplot

set lmargin at screen 0.105
set rmargin at screen 0.45
set logscale y
set ylabel 'root mean square cosine'
set ytics (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
set xtics (4, 64, 1024, 16384)
set offsets graph 0.04, graph 0.04, graph 0.06, graph 0.06
set label 2 'words with a common mean' at graph 0.98, first 0.23 right tc lt 5
set label 3 'theory, 1/√d' at graph 0.4, graph 0.2 right tc rgb quiet
plot for [i = 1:words(families)] data_o1_spread \
       using (pick('family', word(families, i), column('d'))):(column('spread') / sqrt(column('d'))) \
       with points ls i notitle, \
     data_o1_spread using (pick('family', 'gaussian', column('d'))):(1 / sqrt(column('d'))) with lines ls 10 notitle, \
     data_o1_spread using (pick('family', 'anisotropic', column('d'))):(column('spread') / sqrt(column('d'))) \
       with linespoints ls 5 notitle

unset label
set lmargin at screen 0.58
set rmargin at screen 0.98
unset logscale y
set ytics autofreq
set ylabel 'root mean square cosine × √d'
set offsets graph 0.06, graph 0.06, graph 0.06, graph 0.06
plot for [i = 1:words(families)] data_o1_spread \
       using (pick('family', word(families, i), column('d') == 768 ? NaN : column('d') * beside(i))):(column('spread')):(column('spread_low')):(column('spread_high')) \
       with yerrorbars ls i title word(names, i), \
     data_o1_spread using (pick('family', 'gaussian', column('d'))):(column('spread_theory')) with lines ls 10 title 'theory'
unset multiplot
