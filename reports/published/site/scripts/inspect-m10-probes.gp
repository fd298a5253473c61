#: claim: M10
#: finding: M10.models
#: needs: inspect/m10_layers.csv
#: text: models = {{parameter.inspect.with_texts}}
#: title: Layer by layer, what a linear probe reads of the word and of the position
#: caption: Share of tokens whose position, and of frequent words whose identity, a linear probe reads from the states after each layer of the first
#:   model that was given texts; 0 is what enters the first layer. 99% intervals over texts. Dotted: chance. Solid: as the model was trained;
#:   open: under a causal mask.
#: alt: Share read right against the layer, a curve for words and one for positions, from the input to the last layer.
#: size: 760x400
#: phone: 340x380

unset key
m = word(models, 1)
of(mask, x) = strcol('model') eq m && strcol('mask') eq mask ? x : NaN
set xlabel 'layers passed'
set ylabel 'read right by a linear probe'
set xtics 1
set xrange [*:*] noextend
set offsets graph 0.02, graph 0.02, 0, 0
set yrange [0:1.04] noextend
set ytics ('0' 0, '20%%' 0.2, '40%%' 0.4, '60%%' 0.6, '80%%' 0.8, '100%%' 1)
set lmargin 13
set tmargin 3 + 1.3 * (title_lines - 1)
set label 2 'word' at graph 0.03, graph 0.86 left tc lt of_words
set label 3 'position' at graph 0.03, graph 0.40 left tc lt of_positions
what(k) = k == 1 ? 'word' : 'position'
style(k) = k == 1 ? of_words : of_positions
plot for [k = 1:2] data_m10_layers using (of('none', column('depth'))):(column(what(k) . '_right_chance')) with lines ls 11 lc rgb word(marks, style(k)), \
     for [k = 1:2] data_m10_layers using (of('causal', column('depth'))):(column(what(k) . '_right')) with linespoints ls style(k) lw 1 pt 6 ps 0.8, \
     for [k = 1:2] data_m10_layers using (of('none', column('depth'))):(column(what(k) . '_right')):(column(what(k) . '_right_low')):(column(what(k) . '_right_high')) with yerrorbars ls style(k) ps 0.9, \
     for [k = 1:2] data_m10_layers using (of('none', column('depth'))):(column(what(k) . '_right')) with lines ls style(k)
