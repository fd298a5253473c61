#: claim: A3
#: finding: A3.above_alone.full.power1
#: needs: capacity/a3_apart.csv
#: title: {{#verdict A3 depends}}What a sum leaves above words and positions apart depends on rank and power{{/verdict}}{{#verdict A3
#:   true|false|open|unmeasured}}What a sum leaves above words and positions apart, by rank and power{{/verdict}}
#: caption: Share of the logits' squared norm that the best matrix for sums leaves above what words alone and positions alone leave, at
#:   GPT-2's size, against the power of positions. Lines: closed forms; triangles: fitted. Dotted: the rule's bound.
#: alt: Above what both leave apart, independent targets leave
#:   {{A3.above_alone.full.power1|.2f}} at the words' power and {{A3.above_alone.full.power64|.2f}} at 64 times; words of rank 16 with random
#:   positions {{A3.above_alone_random.power1|.2f}} and {{A3.above_alone_random.power64|.2f}}, with sinusoids
#:   {{A3.above_alone.rank16.power64|.2f}}.
#: size: 760x430
#: phone: 340x400

arm(r, p, x) = (strcol('rank') eq r && strcol('positions') eq p) ? x : NaN
unset key
set tmargin 3 + 1.3 * (title_lines - 1)
set logscale x 2
set xrange [0.4:320] noextend
set yrange [-0.02:0.5]
set xtics ('½' 0.5, '1' 1, '4' 4, '16' 16, '64' 64, '256' 256)
set ytics ('0' 0, '20%%' 0.2, '40%%' 0.4)
set xlabel 'power of a position over a word''s'
set ylabel 'left above words and positions apart'
set label 2 'independent targets, random positions' at graph 0.03, graph 0.93 left tc lt 1
set label 3 'words of rank 16, random positions' at graph 0.03, graph 0.86 left tc lt 2
set label 4 'words of rank 16, sinusoids' at graph 0.03, graph 0.79 left tc lt 3
plot 0.1 with lines ls 11, \
     data_a3_apart using (arm('full', 'random', column('power'))):(column('above')) with linespoints ls 1 ps 0.7, \
     data_a3_apart using (arm('rank16', 'random', column('power'))):(column('above')) with linespoints ls 2 ps 0.7, \
     data_a3_apart using (arm('rank16', 'sinusoidal', column('power'))):(column('above')) with points ls 3 ps 1
