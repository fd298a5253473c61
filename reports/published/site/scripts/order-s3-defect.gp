#: claim: S3
#: needs: order/s3_defect.csv
#: title: {{#verdict S3 false}}Without encoding or mask, permuting tokens only permutes the rows of Q, K and V{{/verdict}}{{#verdict S3
#:   true|depends|open|unmeasured}}How far permuting tokens is from permuting the rows of Q, K and V{{/verdict}}
#: caption: Equivariance error ‖f(PX) − P f(X)‖/‖f(X)‖ of the parts f of one block under {{S3.defect.query.none.float64.n}} random
#:   permutations P of 64 tokens, float64, smallest to largest; at the left edge no bit differs. Squares: sinusoids added, which stay
#:   while words move. Ticks: bound for rounding.
#: alt: Logarithmic: without encoding the equivariance error of the maps to Q, K and V, of LayerNorm, feed-forward, attention and the
#:   whole block is zero or near ten to the minus sixteen, at most {{S3.defect.attention.none.float64|.2f}} of its bound; attention under
#:   a causal mask has one of order one. With sinusoids added every part has one of a tenth to one.
#: size: 800x420

unset key
set lmargin at screen (phone ? 0.4 : 0.2)
set logscale x
set xrange [1e-17:20] noextend
set xtics ('1' 1, '10^{−4}' 1e-4, '10^{−8}' 1e-8, '10^{−12}' 1e-12, '10^{−16}' 1e-16)
if (phone) { set xtics ('1' 1, '10^{−8}' 1e-8, '10^{−16}' 1e-16) }
set xlabel 'equivariance error, float64'
names = 'query key value norm feed_forward attention block masked_attention'
said = '"Q" "K" "V" "LayerNorm" "feed-forward" "attention" "whole block" "attention, causal"'
count = words(names)
set yrange [0.4:count + 0.6] noextend
set ytics ()
do for [i = 1:count] { set ytics add (word(said, i) count + 1 - i) }
part(name, told, x) = (strcol('part') eq name && strcol('encoding') eq told && strcol('precision') eq 'float64') ? x : NaN
edge = 1.5e-17
shown(x) = x < edge ? edge : x
set label 2 'no encoding' at 2e-14, 6.5 left tc lt without
set label 3 'sinusoids added' at (phone ? 1e-4 : 1e-3), 7.55 center tc lt added
set label 4 'bound' at 1.6e-14, 4.45 left tc rgb quiet
plot for [i = 1:count] data_s3_defect using (part(word(names, i), 'none', column('bound'))):(count + 0.7 - i):(0):(0.6) with vectors nohead ls 10 dt solid, \
     for [i = 1:count] data_s3_defect using (part(word(names, i), 'sinusoidal', column('least'))):(count + 1 - i):(column('largest') - column('least')):(0) with vectors nohead ls added lw 5, \
     for [i = 1:count] data_s3_defect using (part(word(names, i), 'sinusoidal', column('largest'))):(count + 1 - i) with points ls added pt 5 ps 0.9, \
     for [i = 1:count] data_s3_defect using (part(word(names, i), 'none', shown(column('least')))):(count + 1 - i):(shown(column('largest')) - shown(column('least'))):(0) with vectors nohead ls without lw 5, \
     for [i = 1:count] data_s3_defect using (part(word(names, i), 'none', shown(column('largest')))):(count + 1 - i) with points ls without pt 7 ps 1
