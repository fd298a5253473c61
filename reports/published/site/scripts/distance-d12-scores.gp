#: claim: D12
#: needs: distance/d12_scores.csv distance/d12_contexts.csv
#: title: In these four configurations the sum turns negative before the context that they claim
#: caption: Score of equal contents at each distance over that at distance 0: mean (line) and least (dashed) of stretches of distances, three to an octave, up
#:   to the context that each configuration claims. Dots: first negative score.
#: alt: Four curves fall from 1 with distance on a logarithmic axis and first touch 0 before the end of the claimed context: Llama 2 at
#:   {{D12.kept_context.llama_2_7b|.0%}} of it, Llama 3 (×8) at {{D12.kept_context.llama_3_1_8b|.0%}}, gpt-oss at {{D12.kept_context.gpt_oss_20b|.0%}},
#:   YaRN's Llama 2 at {{D12.kept_context.yarn_llama_2_7b_64k|.0%}}.
#: size: 860x470
#: phone: 340x420

set logscale x 2
set xlabel 'distance, positions'
set ylabel 'score / score at distance 0'
set xrange [1:1500000] noextend
set yrange [-0.15:1.02]
set xtics ('1' 1, '16' 16, '256' 256, '1,024' 1024, '4,096' 4096, '16,384' 16384, '131,072' 131072)
unset key
set arrow 1 from 1, 0 to 1500000, 0 nohead ls 11
models = 'llama_2_7b llama_3_1_8b gpt_oss_20b yarn_llama_2_7b_64k'
of(i, x) = strcol('model') eq word(models, i) ? x : NaN
set label 2 'Llama 2, unscaled' at 260, 0.15 right tc lt 1
set label 3 'Llama 3, ×8' at 165000, 0.27 left tc lt 2
set label 4 'gpt-oss, YaRN ×32' at 165000, 0.19 left tc lt 3
set label 5 'Llama 2, YaRN ×16' at 52000, -0.07 left tc lt 4
if (phone) {
  set xtics ('1' 1, '64' 64, '4,096' 4096, '262,144' 262144)
  do for [i = 1:4] { set label 1 + i at graph 0.99, graph 1.03 - 0.075 * i right }
}
plot for [i = 1:4] data_d12_scores using (of(i, column('lag'))):(column('mean')) with lines ls i, \
     for [i = 1:4] data_d12_scores using (of(i, column('lag'))):(column('least')) with lines ls i lw 0.8 dt (6, 4), \
     for [i = 1:4] data_d12_contexts using (of(i, column('good_to'))):(0) with points ls i pt 7 ps 1
