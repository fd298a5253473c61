#: claim: A1
#: needs: capacity/a1_readout.csv
#: title: What a linear probe reads of the position through the words, function by function
#: caption: R² of ridge regression on sums x + p (+ noise), for the eigenfunctions of position from the slowest, d = L = 256; Gaussian
#:   words of standard deviation one half per dimension. One point in three; 99% intervals over independent data. Dashed: λ/(λ + σ² +
#:   n²), λ the eigenvalue.
#: alt: R² against the number of the eigenfunction: it starts near one ({{A1.read_out.i0|.2f}} for the first) and falls along the dashed
#:   line, to {{A1.read_out.i20|.2f}} for the twenty-first and to zero near the sixtieth.
#: size: 760x400

set xlabel 'eigenfunction of position, i'
set ylabel 'R² of a linear probe'
set xrange [-1:64]
set yrange [-0.02:1.05]
unset key
set label 2 'no noise' at first 28, first 0.77 left tc lt 1
set label 3 'noise .5' at first (phone ? 10 : 28), first 0.48 left tc lt 2
series(noise, x) = (column('d') == 256 && column('noise') == noise) ? x : NaN
third(x) = int(column('i')) % 3 == 0 ? x : NaN
noises = '0 0.5'
plot for [k = 1:2] data_a1_readout using (third(series(word(noises, k) + 0, column('i')))):(column('r2')):(column('r2_low')):(column('r2_high')) with yerrorbars ls k, \
     for [k = 1:2] data_a1_readout using (series(word(noises, k) + 0, column('i'))):(column('line')) with lines ls 10
