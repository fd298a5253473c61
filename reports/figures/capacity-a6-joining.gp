#: claim: A6
#: title: Four ways to tell a Transformer where a token stands
#: caption: Boxes are vectors, as wide as their dimensions. Behind the first linear map a concatenation is a sum as well, with one more
#:   matrix: W[x; p] = W₁x + W₂p. Adding ties the two matrices; projecting unties them and keeps the width. Rotary encoding (RoPE) adds
#:   nothing: it rotates queries and keys by angles that grow with the position.
#: alt: Four columns. Add: a token embedding x and a positional encoding p of the same width become x + p, and the first linear map gives
#:   W x + W p. Concatenate: they stand side by side in a wider vector, and the map gives W₁ x + W₂ p. Concatenate and project: a matrix U
#:   takes the wider vector back to the embedding's width. Rotate: the embedding goes through alone, and queries and keys are rotated by
#:   the position.
#: size: 860x372

unset key
set label 2 'x: token embedding    p: positional encoding' at screen 0.985, screen 1 offset character 0, -1.5 right tc rgb quiet
unset tics
unset grid
set border 0
set lmargin at screen 0
set rmargin at screen 1
set tmargin at screen 1
set bmargin at screen 0
set xrange [0:860] noextend
set yrange [0:372] noextend
set style arrow 1 head filled size screen 0.009, 22 lc rgb quiet lw 1.4
box(n, x, w, y, colour) = sprintf('set object %d rect from %g, %g to %g, %g fc rgb "%s" fs solid 0.25 border rgb "%s"', \
  n, x - w / 2.0, y, x + w / 2.0, y + 26, colour, colour)
word_box = word(marks, of_words)
position_box = word(marks, of_positions)
both = dark ? '#9198a1' : '#59636e'

heads = '"add" "concatenate" "concatenate and project" "rotate (RoPE)"'
behind = '"W(x + p) = Wx + Wp" "W[x; p] = W₁x + W₂p" "WU[x; p] = WU₁x + WU₂p" "q = R_tW_Qx,  k = R_tW_Kx"'
costs = '"width d, nothing more" "width d + d_p, or words narrower" "width d, one matrix more" "width d, in every layer"'
do for [k = 1:4] {
  x = 112 + 212 * (k - 1)
  colour = k == 1 ? added : k == 4 ? rotated : concatenated
  set label 10 + k word(heads, k) at x, 314 center tc lt colour font 'DejaVu Sans Bold,13'
  wide = k == 2 || k == 3
  if (k < 4) {
    eval box(10 * k + 1, x - 46, 84, 262, word_box)
    set label 20 + k 'x' at x - 46, 275 center front tc rgb ink
    eval box(10 * k + 2, wide ? x + 34 : x + 46, wide ? 42 : 84, 262, position_box)
    set label 30 + k 'p' at (wide ? x + 34 : x + 46), 275 center front tc rgb ink
  } else {
    eval box(10 * k + 1, x, 84, 262, word_box)
    set label 20 + k 'x' at x, 275 center front tc rgb ink
  }
  set label 70 + k word(behind, k) at x, 66 center tc rgb ink
  set label 80 + k word(costs, k) at x, 36 center tc rgb quiet font small
  set arrow 10 * k + 9 from x, 118 to x, 84 as 1
}

# add
set arrow 11 from 66, 260 to 103, 222 as 1
set arrow 12 from 158, 260 to 121, 222 as 1
set object 15 circle at 112, 214 size 11 fc rgb both fs empty border rgb both
set label 41 '+' at 112, 215 center front tc rgb ink
set arrow 13 from 112, 202 to 112, 148 as 1
eval box(16, 112, 84, 120, both)
set label 51 'x + p' at 112, 133 center front tc rgb ink

# concatenate
set arrow 21 from 278, 260 to 300, 148 as 1
set arrow 22 from 358, 260 to 364, 148 as 1
eval box(26, 303, 84, 120, word_box)
eval box(27, 366, 42, 120, position_box)
set label 52 'x' at 303, 133 center front tc rgb ink
set label 53 'p' at 366, 133 center front tc rgb ink

# concatenate and project
set arrow 31 from 490, 260 to 505, 234 as 1
set arrow 32 from 570, 260 to 578, 234 as 1
eval box(36, 515, 84, 206, word_box)
eval box(37, 578, 42, 206, position_box)
set label 54 'x' at 515, 219 center front tc rgb ink
set label 55 'p' at 578, 219 center front tc rgb ink
set arrow 33 from 536, 204 to 536, 148 as 1
set label 56 'U' at 546, 176 left tc rgb ink
eval box(38, 536, 84, 120, both)
set label 57 'U[x; p]' at 536, 133 center front tc rgb ink

# rotate
set arrow 41 from 748, 260 to 748, 148 as 1
eval box(46, 748, 84, 120, word_box)
set label 58 'x' at 748, 133 center front tc rgb ink
set label 59 'position t' at 758, 110 left tc lt rotated font small
set label 60 'rotates q, k' at 758, 95 left tc lt rotated font small
plot -1 with lines
