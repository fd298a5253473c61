#: claim: Q3
#: needs: capacity/q3_bag.csv
#: title: A sum forgets which word stood where; products with random keys remember
#: caption: Share of positions at which the right word of 1,000 is found, in one vector of 512 dimensions that holds n words. Each point is
#:   {{Q3.recovered.signs.d512.n8.n}} queries, with 99% intervals. Dashed: theory, with no fitted number. Dotted: 1/n, which is guessing and the exact limit for sums.
#: alt: With random signs nearly all words are found at their position up to 16 words in 512 dimensions,
#:   {{Q3.recovered.signs.d512.n32|.0%}} of 32 and {{Q3.recovered.signs.d512.n128|.0%}} of 128. RoPE keys of base 10 give
#:   {{Q3.recovered.rotary_10.d512.n8|.0%}} for 8 words, of base 10,000 {{Q3.recovered.rotary_10k.d512.n8|.0%}}. The sum lies on the
#:   dotted line of chance, 1/n.
#: size: 760x430
#: phone: 340x400

unset key
set tmargin 3 + 1.3 * (title_lines - 1)
keys = 'signs rotary_10 rotary_10k sum'
colours = '4 3 7 1'
set yrange [-0.02:1.06]
set ytics ('0' 0, '20%%' 0.2, '40%%' 0.4, '60%%' 0.6, '80%%' 0.8, '100%%' 1)
set logscale x 2
set xrange [1.8:150] noextend
set xtics (2, 4, 8, 16, 32, 64, 128)
set xlabel 'words in the sum, n (d = 512)'
set ylabel 'words found at their position'
set label 2 'random signs' at 17, 1.02 left tc lt 4
set label 3 'RoPE, T = 10' at 9, 0.685 left tc lt 3
set label 4 'RoPE, T = 10⁴' at 9.4, 0.36 left tc lt 7
set label 5 'sum' at 9.2, 0.165 left tc lt added
of(key, x) = strcol('key') eq key ? x : NaN
plot for [i = 1:4] data_q3_bag using (of(word(keys, i), column('tokens'))):(column('share')):(column('low')):(column('high')) with yerrorbars ls (word(colours, i) + 0) ps 0.75, \
     for [i = 1:3] data_q3_bag using (of(word(keys, i), column('tokens'))):(column('line')) smooth unique with lines ls 10, \
     data_q3_bag using (of('sum', column('tokens'))):(column('line')) smooth unique with lines ls 11
