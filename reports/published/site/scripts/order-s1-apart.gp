#: claim: S1
#: needs: order/s1_encodings.csv
#: title: {{#verdict S1 true}}Without positions two orders of a text differ by rounding;
#:   with any encoding, random orders by 1% or more{{/verdict}}{{#verdict S1 depends|false|open|unmeasured}}How far apart two orders of a text are, encoding by
#:   encoding{{/verdict}}
#: caption: How far the output at a token moves when the words of its text are put in another order, over the output's norm, largest token of the text; twelve
#:   blocks, float64. Bars: smallest to largest of {{S1.token.random.float64.n}} random orders of four texts, dot: median. Dotted: what rounding
#:   can do. Squares: a text against its reverse, largest.
#: alt: One row per encoding on a logarithmic axis. Without encoding outputs differ by about 10⁻¹⁵, below the bound for rounding; with sinusoids the
#:   median is {{S1.distance.sinusoidal.depth12|.2f}}, with RoPE {{S1.distance.rotary.depth12|.2f}}, and every encoding lies above a hundredth.
#:   ALiBi, which is symmetric, does not tell a text from its reverse ({{S1.reversed.alibi.float64|.1g}} of the bound).
#: size: 860x440
#: phone: 340x420

of(name, x) = strcol('encoding') eq name && strcol('precision') eq 'float64' && column('depth') == 12 ? x : NaN
stats data_s1_encodings using (of('none', column('bound'))) nooutput
bound = STATS_max
all = 'none sinusoidal sine_only index normalised_index random random_fourier rotary alibi t5'
said = '"none" "sinusoidal" "sines alone" "index" "index/length" "random" "random Fourier" "RoPE" "ALiBi" "T5"'
rows = words(all)
unset key
set lmargin 16
set tmargin 3 + 1.3 * (title_lines - 1)
set grid noy
set logscale x
set xrange [3e-17:12] noextend
set xtics ('1' 1, '1%%' 1e-2, '10^{−4}' 1e-4, '10^{−8}' 1e-8, '10^{−12}' 1e-12, '10^{−16}' 1e-16)
if (phone) { set xtics ('1' 1, '10^{−8}' 1e-8, '10^{−16}' 1e-16) }
set yrange [0.4:rows + 0.6] noextend
set ytics () scale 0 textcolor rgb ink
do for [i = 1:rows] { set ytics add (word(said, i) rows + 1 - i) }
set xlabel (phone ? 'relative change of an output' : 'change of an output under another order, relative')
set arrow 1 from bound, graph 0 to bound, graph 1 nohead ls 11
set label 2 'bound for rounding' at bound * 2, rows left tc rgb quiet
set label 3 (phone ? "squares:\nreversed text" : 'squares: text against its reverse') at bound * 2, (phone ? 2.5 : 2) left tc lt 2
style(i) = i == 1 ? without : 1
plot for [i = 1:rows] data_s1_encodings using (of(word(all, i), column('least'))):(rows + 1 - i):(column('largest') - column('least')):(0) with vectors nohead ls style(i) lw 5, \
     for [i = 1:rows] data_s1_encodings using (of(word(all, i), column('median'))):(rows + 1 - i) with points ls style(i) pt 7 ps 1, \
     for [i = 1:rows] data_s1_encodings using (of(word(all, i), column('reversed_largest'))):(rows + 1 - i) with points ls 2 pt 4 ps 1.2
