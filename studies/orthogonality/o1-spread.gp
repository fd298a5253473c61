#: claim: O1
#: needs: orthogonality/o1_spread.csv
#: title: Cosines of random pairs shrink as 1/√d, unless the words share a direction
#: caption: Root mean square cosine of random pairs against dimension ({{O1.spread.gaussian.d512.n}} pairs at d = 512). Dashed: exact for
#:   independent symmetric entries. Words with a common mean level off
#:   at the cosine of the direction that they share.
#: alt: Root mean square cosine of random pairs against the dimension, on logarithmic axes: four families of words fall together on
#:   theory's line, one over the root of the dimension; words with a common mean
#:   level off, at d = 512 {{O1.spread.anisotropic.d512|.1f}} times as high.
#: size: 760x430

families = 'gaussian sphere uniform rademacher'
set logscale xy
set xlabel 'dimension d'
set ylabel 'root mean square cosine'
set xrange [3:26000] noextend
set yrange [0.006:0.7] noextend
set xtics ('4' 4, '16' 16, '64' 64, '256' 256, '1,024' 1024, '4,096' 4096, '16,384' 16384)
set ytics ('0.01' 0.01, '0.02' 0.02, '0.05' 0.05, '0.1' 0.1, '0.2' 0.2, '0.5' 0.5)
unset key
set tmargin 3 + 1.3 * (title_lines - 1)
set label 2 'words with a common mean' at 20000, 0.14 right tc lt 5
set label 3 'Gaussian, on the sphere, uniform, random signs' at 3.6, 0.02 left tc lt 1
if (phone) {
  set xtics ('4' 4, '64' 64, '1,024' 1024, '16,384' 16384)
  set label 2 "words with a\ncommon mean" at 20000, 0.33; set label 3 "Gaussian, sphere,\nuniform, signs" at 3.6, 0.017
}
of(name, x) = pick('family', name, x)
plot for [i = 1:words(families)] data_o1_spread using (of(word(families, i), column('d'))):(column('spread') / sqrt(column('d'))) with points ls 1 pt (word('7 6 4 8', i) + 0), \
     data_o1_spread using (of('gaussian', column('d'))):(1 / sqrt(column('d'))) with lines ls 10, \
     data_o1_spread using (of('anisotropic', column('d'))):(column('spread') / sqrt(column('d'))) with linespoints ls 5
