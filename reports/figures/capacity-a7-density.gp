#: claim: A7
#: finding: A7.gain_share.linear.random.d64.v16.carried90
#: needs: capacity/a7_readers.csv
#: title: What adding costs a linear reader, against bits per dimension (random positions)
#: caption: Loss as in {{ref capacity-a7-readers}}, against log₂ VL over d, the bits sent per dimension. Rings: measured, with 99% intervals; crosses:
#:   predicted. Beside them the width, with 256 words unless said. Dotted: proportional to bits per dimension.
#: alt: On logarithmic axes the loss of a linear reader against bits per dimension, beside a line of slope one. 256 words lose
#:   {{A7.gain_share.linear.random.d32.v256.carried90|.1%}} in 32 dimensions and {{A7.gain_share.linear.random.d128.v256.carried90|.1%}} in 128; 16 words in 64, with as many bits
#:   per dimension as the latter, {{A7.gain_share.linear.random.d64.v16.carried90|.1%}}.
#: size: 860x430
#: phone: 340x420

chosen(x) = strcol('reader') eq 'linear' && strcol('positions') eq 'random' && strcol('grid') eq 'coarse' && column('carried') == 90 \
  && (column('v') < 10000 || column('codebooks') >= 8) && column('gain_share_low') > 0 ? x : NaN
density(x) = chosen(log(column('v') * column('l')) / log(2) / column('d'))
of(d, v) = v == 50257 ? 'GPT-2’s size' : v == 30522 ? 'MiniLM’s size' : v == 256 ? sprintf('d = %d', d) \
  : (phone ? '' : sprintf('d = %d, ', d)) . (v == 16384 ? '16,384' : v == 1024 ? '1,024' : sprintf('%d', v)) . ' words'
# Two sizes have the same bits per dimension and nearly the same loss.
apart(d) = d == 219 ? 1.14 : d == 128 ? 0.88 : 1
set logscale xy
set xrange [0.028:0.6] noextend
set xtics ('0.03' 0.03, '0.05' 0.05, '0.1' 0.1, '0.2' 0.2, '0.5' 0.5)
set yrange [phone ? 0.06 : 0.25:14] noextend
set ytics ('0.1%%' 0.1, '0.2%%' 0.2, '0.5%%' 0.5, '1%%' 1, '2%%' 2, '5%%' 5, '10%%' 10)
set xlabel 'bits sent per dimension'
set ylabel 'concatenation less sum, of bits sent'
if (phone) { set lmargin 9; set ylabel 'concatenation less sum, of bits' }
if (phone) { set key at graph 1, graph 0.03 right bottom vertical maxrows 3 samplen 2 } \
else { set key at graph 0.02, graph 0.97 left top Left reverse vertical maxrows 3 samplen 2.4 }
# A phone has no room on the right.
side(left) = density(0) > 0.2 && phone ? (left ? density(0) / 1.15 : NaN) : left ? NaN : density(0) * (phone ? 1.15 : 1.06)
plot 250.0 / 14 * x with lines ls 11 title '∝ bits per dimension', \
     data_a7_readers using (density(0)):(100 * column('gain_share')):(100 * column('gain_share_low')):(100 * column('gain_share_high')) \
       with yerrorbars lc rgb word(marks, added) lw 1.6 dt 1 pt 6 ps 0.8 title 'measured', \
     data_a7_readers using (density(0)):(100 * column('theory')) with points pt 2 ps 0.8 lw 1.4 lc rgb quiet title 'predicted', \
     data_a7_readers using (side(0)):(100 * column('gain_share') * apart(column('d'))):(of(column('d'), column('v'))) with labels left tc rgb ink notitle, \
     data_a7_readers using (side(1)):(100 * column('gain_share')):(of(column('d'), column('v'))) with labels right tc rgb ink notitle
