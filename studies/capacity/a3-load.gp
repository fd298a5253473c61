#: claim: A3
#: finding: A3.above_alone.full.power1
#: needs: capacity/a3_apart.csv
#: title: {{#when A3.above_alone.full.power1 above 0.1, A3.above_alone.rank16.power64 below 0.1}}Unrelated scores compete for one matrix; scores of low rank beside sinusoids do not{{/when}}
#: caption: Share of the attention scores, by squared norm, that one matrix for sums leaves unfitted beyond what separate matrices for words and
#:   positions leave, at GPT-2's size. Across: the power of positions over that of words. Lines: closed forms; triangles: fitted. Dotted: the rule's bound.
#: alt: Beyond what separate matrices leave, unrelated targets leave
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
set yrange [-0.02:(phone ? 0.6 : 0.5)]
set xtics ('½' 0.5, '1' 1, '4' 4, '16' 16, '64' 64, '256' 256)
set ytics ('0' 0, '20%%' 0.2, '40%%' 0.4)
set xlabel 'power of a position over a word''s'
set ylabel 'unfitted beyond separate matrices'
set label 2 (phone ? 'unrelated, random positions' : 'unrelated scores, random positions') at graph 0.03, graph 0.93 left tc lt 1
set label 3 (phone ? 'rank 16, random positions' : 'words of rank 16, random positions') at graph 0.03, graph 0.86 left tc lt 2
set label 4 (phone ? 'rank 16, sinusoids' : 'words of rank 16, sinusoids') at graph 0.03, graph 0.79 left tc lt 3
plot 0.1 with lines ls 11, \
     data_a3_apart using (arm('full', 'random', column('power'))):(column('above')) with linespoints ls 1 ps 0.7, \
     data_a3_apart using (arm('rank16', 'random', column('power'))):(column('above')) with linespoints ls 2 ps 0.7, \
     data_a3_apart using (arm('rank16', 'sinusoidal', column('power'))):(column('above')) with points ls 3 ps 1
