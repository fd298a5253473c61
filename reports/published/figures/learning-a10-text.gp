#: claim: A10
#: finding: A10.perplexity.concat
#: needs: learning/a10_text.csv
#: title: Next word: perplexity {{A10.perplexity.add_fixed|.0f}} added, {{A10.perplexity.concat|.0f}} concatenated, {{A10.perplexity.none|.0f}} without positions
#: caption: Left, perplexity of the next word in the part of an English text not learned from, geometric means over
#:   {{A10.perplexity.concat.n}} seeds; dotted: whoever knows how frequent each word is. Right, each seed's perplexity over that
#:   of the concatenation (sinusoid, d_p = d/4) of the same seed; dotted: equal. 99 % intervals (Student's t).
#: alt: Two panels of dots. Perplexities: {{A10.perplexity.rotary|.0f}} with rotary,
#:   {{A10.perplexity.add_learned|.0f}} with learned positions added; word frequencies alone
#:   {{A10.perplexity.concat.theory|.0f}}. Against the concatenation the sum with sinusoids is at {{A10.perplexity_ratio.add_fixed|.3f}}, the sum with
#:   learned positions at {{A10.perplexity_ratio.add_learned|.3f}}, rotary at {{A10.perplexity_ratio.rotary|.3f}}, no positions
#:   at {{A10.perplexity_ratio.none|.3f}}.
#: size: 860x340

unset key
stats data_a10_text using (column('unigram')) nooutput
unigram = STATS_max
stats data_a10_text using (column('ratio_low')) nooutput
lowest = STATS_min
stats data_a10_text using (column('ratio_high')) nooutput
highest = STATS_max
place(x) = (strcol('arm') eq 'add_fixed') ? 5 : (strcol('arm') eq 'concat') ? 4 : (strcol('arm') eq 'add_learned') ? 3 : \
  (strcol('arm') eq 'rotary') ? 2 : (strcol('arm') eq 'none') ? 1 : NaN
kind(k) = (k == 1 ? (strcol('arm')[1:3] eq 'add') : k == 2 ? (strcol('arm') eq 'concat') : \
  (strcol('arm') eq 'rotary' || strcol('arm') eq 'none')) ? place(0) : NaN
set multiplot
set yrange [0.4:5.6] noextend
set grid noytics
set tmargin at screen 0.84
set bmargin at screen 0.19
set lmargin at screen 0.22
set rmargin at screen 0.56
set ytics scale 0 ('sinusoid added' 5, 'concatenated, d/4' 4, 'learned, added' 3, 'rotary' 2, 'none' 1)
set xrange [0:unigram * 1.08] noextend
set xlabel 'perplexity of the next word'
set label 2 'word frequencies' at unigram, 0.7 right offset character -0.7, 0 tc rgb quiet font ',9'
set arrow 1 from unigram, graph 0 to unigram, graph 1 nohead ls 11
plot for [k = 1:3] data_a10_text using (column('perplexity')):(kind(k)):(column('perplexity_low')):(column('perplexity_high')) with xerrorbars ls k ps 0.9
unset label
set lmargin at screen 0.62
set rmargin at screen 0.97
set ytics scale 0 ('' 5, '' 4, '' 3, '' 2, '' 1)
set xrange [lowest - 0.05 * (highest - lowest):highest + 0.05 * (highest - lowest)] noextend
set xlabel 'over that of the concatenation, paired'
set arrow 1 from 1, graph 0 to 1, graph 1 nohead ls 11
plot for [k = 1:3] data_a10_text using (column('ratio')):(kind(k)):(column('ratio_low')):(column('ratio_high')) with xerrorbars ls k ps 0.9
unset multiplot
