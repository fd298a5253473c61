#: claim: A12
#: finding: A12.chosen.part4.d32
#: needs: learning/a12_loss.csv
#: title: {{#when A12.early.classifier.d32 above 0.005, A12.loss.classifier.both.d32 below 0.01}}A sum that is trained for less time is further behind{{/when}}
#: caption: What a sum loses against the best learned concatenation, in 32 dimensions before a classifier, by how often each word was read in training.
#:   Each point was trained from the start to its own end. Open: rate .01; filled: each arm's best of four, chosen at a quarter of the steps. Bars: 99% intervals over runs.
#: alt: Two lines, for 256 and for 32 words, that fall as words are read more often.
#: size: 860x380
#: phone: 340x360

unset key
set logscale x
set xrange [700:20000] noextend
set xtics ('1,000' 1000, '2,000' 2000, '4,000' 4000, '8,000' 8000, '16,000' 16000)
if (phone) { set xtics ('1,000' 1000, '4,000' 4000, '16,000' 16000) }
set xlabel 'times each word was read'
set ylabel (phone ? 'bits lost' : 'bits lost by adding')
set format y '%g%%'
set yrange [*:*]
set label 2 'rate .01' at 1100, 7.3 tc rgb ink
set label 3 'rate chosen' at 4400, -0.6 tc rgb ink
set label 4 '32 words' at 4200, 4.1 tc lt 2
set label 5 '256 words' at 4300, 1.9 tc lt 1
set arrow 1 from graph 0, first 0 to graph 1, first 0 nohead ls 11
of(v, rate, x) = strcol('reader') eq 'classifier' && strcol('learned') eq 'both' && column('d') == 32 && column('v') == v && strcol('rate') eq rate ? x : NaN
line = "using (column('readings')):(of(%d, '%s', 100 * column('loss'))):(100 * column('low')):(100 * column('high')) with yerrorlines ls %d pt %d ps 0.9"
drawn(v, style) = sprintf(line, v, 'given', style, 6) . ', "" ' . sprintf(line, v, 'chosen', style, 7)
many = drawn(256, 1)
few = drawn(32, 2)
plot data_a12_loss @many, data_a12_loss @few
