#: claim: A1
#: finding: A1.example.minilm
#: needs: capacity/a1_example.csv
#: title: Tokens found in x + p: {{A1.example.minilm}} of {{A1.example.minilm.n}} with MiniLM’s positions, {{A1.example_long.minilm}} with positions
#:   {{A1.example_size.minilm|.0f}} times as long as words
#: caption: The first six tokens of “Tom bit a dog.”, and the word of MiniLM that is nearest to x + p. Bars: lengths of p up to which that is the token
#:   itself. Dotted: MiniLM's own positions, and positions so long, as a sinusoid is beside unit embeddings, that they alone decide which word is nearest.
#: alt: Six rows, one per token of “Tom bit a dog.” With MiniLM's own positions {{A1.example.minilm}} of {{A1.example.minilm.n}} are the nearest word to
#:   their sum, with positions {{A1.example_size.minilm|.0f}} times as long as words {{A1.example_long.minilm}}.
#: size: 860x380
#: phone: 340x400

unset key
stats data_a1_example using (pick('model', 'minilm', column('rho'))):(pick('model', 'minilm', column('rho_long'))) nooutput
own = STATS_max_x
long = STATS_max_y
y(x) = pick('model', 'minilm', -column('position'))
end = 60
# No end: the token is the nearest at each size.
reach(x) = abs(x) < 1e9 ? x : end
set logscale x
set xrange [0.12:end] noextend
set yrange [-5.6:1.15] noextend
set ytics scale 0
set format y ''
set grid noytics
set border 1
set lmargin at screen (phone ? 0.2 : 0.1)
set rmargin at screen 0.97
set tmargin at screen 1 - (title_height + 12.0) / figure_height
set bmargin at screen 62.0 / figure_height
if (phone) { set xtics ('0.3' 0.3, '1' 1, '3' 3, '10' 10, '30' 30) } else { set xtics ('0.2' 0.2, '0.5' 0.5, '1' 1, '2' 2, '5' 5, '10' 10, '20' 20) }
set xlabel (phone ? 'positions over words, ρ = ‖p‖/‖x‖' : 'length of the positions over that of the words, ρ = ‖p‖/‖x‖, root mean squares') offset 0, 0.4
set arrow 1 from own, graph 0 to own, first 0.62 nohead lc rgb quiet lw 1.3 dt (3, 3)
set arrow 2 from long, graph 0 to long, first 0.62 nohead lc rgb quiet lw 1.3 dt (3, 3)
set label 2 (phone ? 'MiniLM’s p' : 'with MiniLM’s own positions') at own, 0.9 left offset (phone ? -3 : 0), 0 tc rgb quiet
set label 3 (phone ? 'long p' : sprintf('%.0f times as long', long)) at long, 0.9 left tc rgb quiet
set label 4 'token' at graph 0, first 0.9 right offset -1, 0 tc rgb quiet
quoted(name) = strcol(name)[1:1] eq '[' ? strcol(name) : '“' . strcol(name) . '”'
plot data_a1_example using (0.12):(y(0)):(0.12):(reach(column('found_to'))):(y(0) - 0.34):(y(0) + 0.34):yticlabels(quoted('token')) with boxxyerror fs solid interval_fill noborder lc rgb word(marks, of_words), \
     for [nearest in 'nearest nearest_long'] data_a1_example using (nearest eq 'nearest' ? own : long):(y(0)):(quoted(nearest)) with labels left offset 0.7, 0 noenhanced tc rgb ink
