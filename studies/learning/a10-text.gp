#: claim: A10
#: finding: A10.more.centred
#: needs: long/learning/a10_text_seeds.csv
#: title: Bits per byte of text, pair by pair{{#when open A10.lost.centred}}: no detectable difference with a sinusoid{{/when}}
#: caption: Bits per byte of the test text at the end of training: the best concatenation and the best sum of the same seed, joined by a line. Lower is better.
#:   {{A10.more.centred.n}} pairs with a centred sinusoid, {{A10.more.learned.n}} with learned positions, in some of which one run ends far behind.
#: alt: Two groups of lines from concatenated to added. With a centred sinusoid they lie together, {{A10.more.centred|+.1%}} on average; with learned positions a few
#:   runs of both kinds end much higher, and adding is worse in {{A10.worse.learned}} of {{A10.more.learned.n}} pairs.
#: size: 860x400
#: phone: 340x420

unset key
kinds = 'centred learned'
says(k) = k == 1 ? (phone ? 'sinusoid' : 'centred sinusoid') : (phone ? 'learned' : 'learned positions')
is_arm(k, how) = strcol('name') eq how . '.' . word(kinds, k)
end(k, how, x) = is_arm(k, how) ? x : NaN
stats data_long_a10_text_seeds using (is_arm(1, 'sum') ? column('seed') : 0) nooutput
last = int(STATS_max)
at_arm(k, how) = 3 * k - (how eq 'sum' ? 1 : 2)
place(k) = is_arm(k, 'concat') ? at_arm(k, 'concat') : is_arm(k, 'sum') ? at_arm(k, 'sum') : NaN
of_seed(s, k) = column('seed') == s ? place(k) : NaN
set xrange [0.4:5.6] noextend
if (phone) { set xtics ('concat.' 1, 'sum' 2, 'concat.' 4, 'sum' 5) } else { set xtics ('concatenated' 1, 'added' 2, 'concatenated' 4, 'added' 5) }
set ytics 0.1
set grid noxtics
set ylabel 'bits per byte'
set format y '%.1f'
set offsets 0, 0, graph 0.04, graph 0.04
do for [k = 1:2] { set label 10 + k says(k) at 3 * k - 1.5, graph 1.04 center tc rgb ink }
plot for [k = 1:2] for [s = 0:last] data_long_a10_text_seeds using (of_seed(s, k)):(column('end')) smooth unique with lines lc rgb quiet lw 0.9, \
     for [k = 1:2] data_long_a10_text_seeds using (end(k, 'concat', at_arm(k, 'concat'))):(column('end')) with points ls concatenated pt 5 ps 0.7, \
     for [k = 1:2] data_long_a10_text_seeds using (end(k, 'sum', at_arm(k, 'sum'))):(column('end')) with points ls added pt 7 ps 0.7
