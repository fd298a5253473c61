#: claim: Q3
#: needs: capacity/q3_bag.csv
#: title: {{#verdict Q3 false}}A sum forgets which word stood where; products with random keys remember{{/verdict}}{{#verdict Q3
#:   true|depends|open|unmeasured}}Words found where they stood, in sums and in products with keys{{/verdict}}
#: caption: Share of positions at which the right word of 1,000 is found in one vector that holds n words,
#:   {{Q3.recovered.signs.d512.n8.n}} bags a point, 99% intervals. Left, d = 512; right, n = 8. Dashed: theory, no fitted number. Dotted:
#:   chance inside the bag, 1/n, the exact limit for the sum.
#: alt: Left: with random signs or phases nearly all words are found at their position up to 16 words in 512 dimensions,
#:   {{Q3.recovered.signs.d512.n32|.0%}} of 32 and {{Q3.recovered.signs.d512.n128|.0%}} of 128. RoPE keys of base 10 give
#:   {{Q3.recovered.rotary_10.d512.n8|.0%}} for 8 words, of base 10,000 {{Q3.recovered.rotary_10k.d512.n8|.0%}}. The sum lies on the
#:   dotted line of chance, 1/n. Right: more dimensions help the products, hardly RoPE keys of base 10,000, and the sum not at all.
#: size: 860x430
#: phone: 340x680

unset key
set multiplot
set tmargin at screen 0.86
keys = 'phases signs rotary_10 rotary_10k sum'
colours = '5 4 3 7 1'
set yrange [-0.02:1.06]
set ytics ('0' 0, '20%%' 0.2, '40%%' 0.4, '60%%' 0.6, '80%%' 0.8, '100%%' 1)
set logscale x 2
pick2(key, name, number, x) = (strcol('key') eq key && column(name) == number) ? x : NaN
do for [panel = 1:2] {
  fixed = panel == 1 ? 'd' : 'tokens'
  held = panel == 1 ? 512 : 8
  along = panel == 1 ? 'tokens' : 'd'
  set lmargin at screen (panel == 1 ? 0.105 : 0.63)
  set rmargin at screen (panel == 1 ? 0.545 : 0.975)
  if (phone) { eval panel(panel, 2) }
  if (panel == 1) {
    set xrange [1.8:150] noextend
    set xtics (2, 4, 8, 16, 32, 64, 128)
    set xlabel 'words in the sum, n (d = 512)'
    set ylabel 'words found at their position'
    set label 2 'random signs or phases' at 17, 1.02 left tc lt 4
    set label 3 'RoPE, T = 10' at 9, 0.685 left tc lt 3
    set label 4 'RoPE, T = 10⁴' at 9.4, 0.36 left tc lt 7
    set label 5 'sum' at 9.2, 0.165 left tc lt added
    if (phone) { set label 2 "random signs\nor phases" at 26, 1.03; set label 3 at 10, 0.7; set label 4 'T = 10⁴' at 10, 0.38; set label 5 at 10, 0.17 }
  } else {
    unset label
    set ylabel ''
    set xrange [54:1200] noextend
    set xtics ('64' 64, '128' 128, '256' 256, '512' 512, '1,024' 1024)
    set xlabel 'dimensions, d (n = 8)'
  }
  plot for [i = 1:5] data_q3_bag using (pick2(word(keys, i), fixed, held, column(along))):(column('share')):(column('low')):(column('high')) with yerrorbars ls (word(colours, i) + 0) ps (i == 1 ? 1.1 : i == 2 ? 0.5 : 0.75), \
       for [i = 1:4] data_q3_bag using (pick2(word(keys, i), fixed, held, column(along))):(column('line')) smooth unique with lines ls 10, \
       data_q3_bag using (pick2('sum', fixed, held, column(along))):(column('chance')) smooth unique with lines ls 11
}
unset multiplot
