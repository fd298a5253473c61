#: claim: D6
#: needs: distance/d6_panels.csv
#: title: Logits of distance alone (above), and through random weights or contents (below)
#: caption: Attention logits of 64 query positions (down) with 64 key positions (across), d = 64, less their mean, in their own standard
#:   deviations. What depends on relative distance alone is constant along diagonals; R² is the share of variance that distance explains.
#:   One draw each; Q and K of rank 16; by chance R² is about 3%.
#: alt: Six heat maps. The upper three, the sinusoid's own products, those through weights that commute with the shift, and RoPE
#:   logits of one content, are striped along the diagonals, R² 1. Below, a random head leaves patches, R²
#:   {{D6.panel_r2.heads|.2f}}, tied weights dark patches along the diagonal, {{D6.panel_r2.tied|.2f}}, RoPE with own contents noise, {{D6.panel_r2.rotary_own|.2f}}.
#: number: r2_heads = D6.panel_r2.heads
#: number: r2_tied = D6.panel_r2.tied
#: number: r2_own = D6.panel_r2.rotary_own
#: size: 860x640
#: phone: 340x760

unset key
unset grid
set border 0
unset xtics
unset ytics
set xlabel ''
set ylabel ''
# Diverging, its middle at the mean; ends told apart by readers with any colour vision.
set style fill solid 1 noborder
set palette defined (-3 '#0b3c6f', -1.5 '#4f9bd0', 0 '#f4f1ea', 1.5 '#e8853d', 3 '#7a2b04')
set palette maxcolors (phone ? 21 : 65)
set cbrange [-3:3]
unset colorbox
set xrange [0.5:64.5] noextend
set yrange [64.5:0.5] noextend
columns_of = 'identity commutant rotary_same heads tied rotary_own'
names = '"no weights, R² = 1" "commuting weights, R² = 1" "RoPE, one content, R² = 1"'
lower = sprintf('"random QᵀK, R² = %.2f" "tied QᵀQ, R² = %.2f" "RoPE, own contents, R² = %.2f"', r2_heads, r2_tied, r2_own)
names = names . ' ' . lower
two_lines(name) = phone ? name[1:strstrt(name, ', ')] . "\n" . name[strstrt(name, ', ') + 2:*] : name
set multiplot
do for [i = 1:6] {
  x = phone ? 0.02 + 0.425 * ((i - 1) % 2) : 0.03 + 0.295 * ((i - 1) % 3)
  y = phone ? 0.6 - 0.285 * ((i - 1) / 2) : i <= 3 ? 0.485 : 0.025
  set lmargin at screen x
  set rmargin at screen x + (phone ? 0.4 : 0.275)
  set bmargin at screen y
  set tmargin at screen y + (phone ? 0.19 : 0.37)
  if (i > 1) { unset label 1 }
  set label 2 two_lines(word(names, i)) at graph 0, graph (phone ? 1.21 : 1.045) left tc rgb ink font small
  plot data_d6_panels using (column('s')):(column('t')):(column(word(columns_of, i))) with image
}
unset label
if (phone) { eval colour_bar(0.87, 0.1, 0.03, 0.6, -3, 3, '1') } else {
  set label 1 'logit, standard deviations' at screen 0.979, screen 0.455 center rotate by 90 tc rgb ink
  eval colour_bar(0.912, 0.06, 0.016, 0.79, -3, 3, '1')
}
unset multiplot
