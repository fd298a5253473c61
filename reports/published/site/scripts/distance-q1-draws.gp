#: claim: Q1
#: needs: distance/q1_draws.csv
#: title: The same random weights read the two layouts as unrelated inputs
#: caption: Every dot is one draw of weights, d = 768, rank 64: share of the logits' variance that distance explains for the interleaved
#:   and for the half-split sinusoid ({{Q1.fixed.heads.d768.n}} draws of each kind). Dashed: equal. Mean differences:
#:   {{Q1.fixed.heads.d768|+.4f}} (QᵀK), {{Q1.fixed.tied.d768|+.4f}} (QᵀQ).
#: alt: Scatter of R² of the half-split against R² of the interleaved sinusoid through the same random weights. Two round clouds lie on
#:   the diagonal, random QᵀK at low R² and tied QᵀQ around one half; within each cloud the two hardly go
#:   together{{#measured Q1.fixed_sd.heads.d768}}: differences spread by {{Q1.fixed_sd.heads.d768|.3f}} between draws of random heads at
#:   width 768{{/measured}}.
#: size: 560x480

set size square
set xlabel 'R² of distance, interleaved'
set ylabel 'R² of distance, half-split, same weights'
set xrange [0:0.85] noextend
set yrange [0:0.85] noextend
set xtics 0.2
set ytics 0.2
unset key
set label 2 'random QᵀK' at 0.36, 0.08 left tc lt 2
set label 3 'tied QᵀQ' at 0.30, 0.66 left tc lt 3
of(m, x) = strcol('matrix') eq m ? x : NaN
plot x with lines ls 10, \
     data_q1_draws using (of('heads', column('interleaved'))):(column('half_split')) with points ls 2 pt 7 ps 0.4, \
     data_q1_draws using (of('tied', column('interleaved'))):(column('half_split')) with points ls 3 pt 7 ps 0.4
