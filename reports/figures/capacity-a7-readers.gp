#: claim: A7
#: needs: capacity/a7_readers.csv
#: title: What adding costs a linear reader: {{A7.gain_share.linear.random.d32.v256.carried90|.1%}} of the bits in 32
#:   dimensions{{#measured A7.gain_share.linear.random.d256.v256.carried90}}, {{A7.gain_share.linear.random.d256.v256.carried90|.1%}} in 256{{/measured}} (random positions)
#: caption: Bits of the best concatenation less those of the best sum with words in all dimensions, as a share of all bits, at the noise where the best
#:   concatenation delivers 90%; 256 words, 64 positions{{#preset long}}, larger tables named{{/preset}}. Bars: 99% intervals. Dashed: predicted, with
#:   interference as noise. Dotted: proportional to 1/d.{{#preset long}} What is smaller still lies below the picture.{{/preset}}
#: alt: On logarithmic axes the loss of a linear reader against the width. At d = 32 it is
#:   {{A7.gain_share.linear.sinusoidal.d32.v256.carried90|.1%}} with sinusoids and {{A7.gain_share.linear.random.d32.v256.carried90|.1%}}
#:   with random positions{{#measured A7.gain_share.linear.random.d256.v256.carried90}}, at d = 256 {{A7.gain_share.linear.sinusoidal.d256.v256.carried90|.1%}} and
#:   {{A7.gain_share.linear.random.d256.v256.carried90|.1%}}{{/measured}}.
#: size: 860x430
#: phone: 340x420

families = 'sinusoidal random'
dash(k) = k == 1 ? sinusoidal : random
chosen(f, x) = strcol('reader') eq 'linear' && strcol('positions') eq f && strcol('grid') eq 'coarse' && column('carried') == 90 ? x : NaN
family(f, x) = column('v') == 256 && column('l') == 64 ? chosen(f, x) : NaN
# Of few codebooks the interval is wider than the picture.
large(f, x) = column('v') > 10000 && column('codebooks') >= 8 ? chosen(f, x) : NaN
model(v) = v == 50257 ? 'GPT-2’s size' : v == 30522 ? 'MiniLM’s size' : v == 32000 ? '32,000 words' : '16,384 words'
beside(k) = 1.04 ** (2 * k - 3)
set logscale xy
stats data_a7_readers using (large('random', 1) == 1 ? 1 : 0) nooutput
set xrange [24:STATS_max == 1 ? 5200 : 512] noextend
set xtics ('32' 32, '64' 64, '128' 128, '256' 256, '512' 512, '1,024' 1024, '2,048' 2048)
set yrange [0.08:16] noextend
set ytics ('0.1%%' 0.1, '0.2%%' 0.2, '0.5%%' 0.5, '1%%' 1, '2%%' 2, '5%%' 5, '10%%' 10)
set xlabel 'width d'
set ylabel 'bits lost by adding'
if (phone) { set lmargin 9; set ylabel 'concatenation less sum, of bits' }
set key at graph 0.98, graph 0.97 right top vertical maxrows 3 samplen 2.4
plot 250.0 / x with lines ls 11 title '∝ 1/d', \
     for [k = 1:2] data_a7_readers using (family(word(families, k), column('d'))):(100 * column('theory')) with lines ls 10 notitle, \
     for [k = 1:2] data_a7_readers using (family(word(families, k), column('d') * beside(k))):(100 * column('gain_share')):(100 * column('gain_share_low')):(100 * column('gain_share_high')) \
       with yerrorbars lc rgb word(marks, added) lw 1.6 dt 1 pt (k == 1 ? 7 : 6) ps 0.8 title word(families, k), \
     for [k = 1:2] data_a7_readers using (large(word(families, k), column('d') * beside(k))):(100 * column('gain_share')):(100 * column('gain_share_low')):(100 * column('gain_share_high')) \
       with yerrorbars lc rgb word(marks, added) lw 1.6 dt 1 pt (k == 1 ? 7 : 6) ps 0.8 notitle, \
     data_a7_readers using (large('random', column('d') * 1.12)):(100 * column('gain_share')):(model(column('v'))) with labels left tc rgb ink notitle
