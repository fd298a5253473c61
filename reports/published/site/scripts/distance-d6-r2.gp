#: claim: D6
#: needs: distance/d6_r2.csv
#: title: Through random Q and K distance explains {{D6.r2.sinusoidal.heads.rank64.d512|.0%}} of the logits' variance
#: caption: Share of the variance of all 512 × 512 attention logits that relative distance explains, d = 512: mean and middle 90% over
#:   draws of the weights. Short dashes: ratio of expected variances, closed form. Dotted: chance, 2/(L + 1). Commuting weights: one block
#:   [a b; −b a] per frequency. RoPE: one content at all positions, or one each.
#: alt: Fifteen rows of dots from 0 to 1. At 1: the sinusoid's own products, those through weights that commute with the shift, RoPE
#:   logits of one content, and random Fourier features' own products. In the middle: tied weights, at
#:   {{D6.r2.sinusoidal.tied.rank64.d512|.2f}} for rank 64, and random positions, {{D6.r2.random.identity.d512|.2f}}, which know distance
#:   0 alone. Far left: random M and heads of any rank, near {{D6.r2.sinusoidal.heads.rank64.d512|.2f}}. At chance: random positions
#:   through a head, RoPE logits with a content per position, independent ones.
#: size: 860x560
#: phone: 340x520

set lmargin at screen 0.37
set rmargin at screen 0.965
set tmargin 3 + 1.3 * (title_lines - 1)
set xrange [-0.01:1.02] noextend
set yrange [15.6:0.4] noextend
set xtics 0.2
set xlabel 'R²: share of the logits’ variance that distance explains'
unset key
set grid noy
names = '"sinusoid, no weights" "sinusoid, commuting weights" "RoPE, one content everywhere" "sinusoid, tied QᵀQ, rank 64" \
  "sinusoid, tied QᵀQ, rank 16" "sinusoid, random M" "sinusoid, random QᵀK, rank 512" "sinusoid, random QᵀK, rank 64" \
  "sinusoid, random QᵀK, rank 16" "random Fourier features, no weights" "random Fourier features, QᵀK, rank 64" \
  "random positions, no weights" "random positions, QᵀK, rank 64" "RoPE, a content per position" "independent scores"'
if (phone) {
  names = '"no weights" "commuting weights" "RoPE, one content" "tied QᵀQ, rank 64" "tied QᵀQ, rank 16" "random M" "QᵀK, rank 512" "QᵀK, rank 64" "QᵀK, rank 16" \
    "Fourier, no weights" "Fourier, rank 64" "random, no weights" "random, rank 64" "RoPE, contents" "independent"'
  set lmargin at screen 0.44; set xtics 0.5; set xlabel 'R² of the distance'
}
set ytics scale 0 textcolor rgb ink
set for [i = 1:15] ytics add (word(names, i) i)
shown(first, last, x) = column('order') >= first && column('order') <= last ? x : NaN
set arrow 1 from 2.0 / 513, 0.4 to 2.0 / 513, 15.6 nohead ls 11
do for [y in '3.5 9.5'] { set arrow (10 + y) from graph 0, first y to graph 1, first y nohead lc rgb faint lw 1 }
set label 2 'chance' at 2.0 / 513, 3.0 left offset character 0.5, 0 tc rgb quiet
plot for [g = 1:3] data_d6_r2 using (shown(word('1 4 10', g), word('3 9 15', g), column('r2'))):(column('order')):(column('q05')):(column('q95')) \
       with xerrorbars ls g ps 0.95, \
     data_d6_r2 using (shown(4, 9, column('pooled_theory'))):(column('order') - 0.36):(0):(0.72) with vectors nohead ls 10
