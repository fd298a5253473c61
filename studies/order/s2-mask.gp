#: claim: S2
#: needs: order/s2_variance.csv order/s2_read.csv
#: title: Under a causal mask attention's output shrinks with position, and a quadratic probe reads it
#: caption: Left: variance of one attention layer's output over that of the values, by position, without encoding, in
#:   {{S2.variance.uniform.causal.t64.n}} sequences; dashed: 1/t. Right: held-out R² of ln t by ridge regression, by depth; quadratic probes see entries and
#:   their squares. Bands: 99% intervals. Dotted: chance.
#: alt: Left: under a causal mask with equal weights the variance falls as 1/t, at t = 64 to
#:   {{S2.variance.uniform.causal.t64|.2f}}/64; with random logits it is {{S2.variance.random.causal.t64|.1f}} times 1/t; without a
#:   mask it is the same everywhere. Right: a quadratic probe of attention reads ln t with R²
#:   {{S2.read.causal.attention.squares.any.depth1|.2f}} after one block, {{S2.read.causal.attention.squares.any.depth12|.2f}} after
#:   twelve; a linear one of the residual stream {{S2.read.causal.stream.entries.any.depth12|.2f}}; without a mask
#:   {{S2.read.both.attention.squares.any.depth12|.2f}}.
#: size: 900x450
#: phone: 340x760

unset key
set multiplot
set tmargin at screen (phone ? 0.88 : 0.86)
set bmargin at screen (phone ? 0.55 : 0.155)
row(m, s, x) = (strcol('mask') eq m && strcol('scores') eq s) ? x : NaN

set lmargin at screen (phone ? 0.19 : 0.09)
set rmargin at screen (phone ? 0.97 : 0.45)
set logscale xy
set xrange [0.9:75] noextend
set yrange [0.01:1.6]
set xtics (1, 2, 4, 8, 16, 32, 64)
set ytics ('1' 1, '1/4' 0.25, '1/16' 0.0625, '1/64' 0.015625)
set xlabel 'position t'
set ylabel 'variance of attention''s output'
set label 2 'causal, equal weights' at 1.15, 0.03 left tc lt 1
set label 3 'causal, random logits' at 6, 0.55 left tc lt 2
set label 4 'bidirectional, random logits' at 1.15, 0.072 left tc lt 5
set label 5 'bidirectional, equal' at 1.15, 0.0127 left tc lt 3
plot for [i = 1:2] data_s2_variance using (row('causal', i == 1 ? 'uniform' : 'random', column('place'))):(column('low')):(column('high')) with filledcurves fs solid interval_fill ls i, \
     for [i = 1:2] data_s2_variance using (row('both ways', i == 1 ? 'uniform' : 'random', column('place'))):(column('variance')) with lines ls (i == 1 ? 3 : 5), \
     for [i = 1:2] data_s2_variance using (row('causal', i == 1 ? 'uniform' : 'random', column('place'))):(column('variance')) with lines ls i, \
     data_s2_variance using (row('causal', 'uniform', column('place'))):(column('line')) with lines ls 10

unset label
unset logscale
if (phone) { set tmargin at screen 0.45; set bmargin at screen 0.09 }
set lmargin at screen (phone ? 0.19 : 0.535)
set rmargin at screen (phone ? 0.6 : 0.80)
set xrange [-0.3:12.3] noextend
set yrange [-0.25:1]
if (phone) { set xtics (0, 4, 8, 12) } else { set xtics (0, 1, 2, 4, 8, 12) }
set ytics ('0' 0, '.25' 0.25, '.5' 0.5, '.75' 0.75, '1' 1)
set xlabel 'layers passed'
set ylabel 'R² of ln t, held out'
curve(m, w, h, f, x) = (strcol('mask') eq m && strcol('where') eq w && strcol('how') eq h && strcol('first') eq f) ? x : NaN
masks = '"causal" "causal" "causal" "causal" "both ways"'
wheres = 'attention attention stream stream attention'
hows = 'squares entries squares entries squares'
firsts = 'any same same any any'
colours = '1 4 5 2 3'
set label 2 (phone ? "attention,\nquadratic" : 'attention, quadratic') at graph 1.03, first (phone ? 0.86 : 0.76) left tc lt 1
set label 3 "attention, linear,\nsame first word" at graph 1.03, first 0.66 left tc lt 4
set label 4 "residual stream,\nquadratic, same\nfirst word" at graph 1.03, first (phone ? 0.4 : 0.33) left tc lt 5
set label 5 "residual stream,\nlinear" at graph 1.03, first 0.08 left tc lt 2
set label 6 (phone ? "bidirectional:\nattention,\nquadratic" : "bidirectional:\nattention, quadratic") at graph 1.03, first -0.1 left tc lt 3
plot 0 with lines ls 11, \
     for [i = 1:5] data_s2_read using (curve(word(masks, i), word(wheres, i), word(hows, i), word(firsts, i), column('depth'))):(column('low')):(column('high')) with filledcurves fs solid interval_fill ls (word(colours, i) + 0), \
     for [i = 1:5] data_s2_read using (curve(word(masks, i), word(wheres, i), word(hows, i), word(firsts, i), column('depth'))):(column('r2')) with linespoints ls (word(colours, i) + 0)
unset multiplot
