#: title: Four ways to tell a Transformer where a token stands
#: caption: x, token embedding; p, positional encoding of the same token; boxes are as wide as the vectors. After a linear
#:   map W the first three are sums: W(x + p), W₁x + W₂p with W₂ of its own, and the same with W learned before the first block.
#: alt: Four panels. Add: x and p of d dimensions each give x + p of d dimensions. Concatenate: x of d minus dₚ and p of dₚ
#:   dimensions stand side by side in d dimensions. Concatenate and project: x and p side by side in 2 d dimensions, mapped to
#:   d by a learned matrix. Rotate: queries and keys made of x are rotated by angles that grow with the position; nothing is added.
#: size: 900x320
#: phone: 340x880

unset key; unset border; unset tics; unset grid
set lmargin 0; set rmargin 0; set tmargin 3.4; set bmargin 0.4
set xrange [0:40] noextend
set yrange [0:9.6] noextend
token = dark ? 0x56b4e9 : 0x0072b2
position = dark ? 0xff8a3d : 0xd55e00
do for [i = 1:4] {
  set label 10 + i word('Add Concatenate "Concatenate and project" "Rotate (RoPE)"', i) at 10 * i - 5, 9.0 center tc rgb ink font 'DejaVu Sans Bold,13'
}
array says = ['W(x + p) = Wx + Wp', 'W[x; p] = W₁x + W₂p', 'the same, W₁ and W₂ learned', 'q·k = (Qx)^T R(s − t) Kx']
do for [i = 1:4] { set label 20 + i says[i] at 10 * i - 5, 0.7 center tc rgb quiet }
# Add: two boxes, one below.
set object 1 rect from 1.2, 6.5 to 4.6, 7.7 fs solid 0.25 border lc rgb token fc rgb token
set object 2 rect from 5.4, 6.5 to 8.8, 7.7 fs solid 0.25 border lc rgb position fc rgb position
set label 31 'x' at 2.9, 7.1 center tc rgb ink
set label 32 'p' at 7.1, 7.1 center tc rgb ink
set label 33 '+' at 5.0, 7.1 center tc rgb ink
set arrow 1 from 5, 6.2 to 5, 4.6 lc rgb quiet lw 1.4
set object 3 rect from 3.3, 3.1 to 6.7, 4.3 fs solid 0.25 border lc rgb token fc rgb position
set label 34 'x + p' at 5, 3.7 center tc rgb ink
set label 35 'd dimensions' at 5, 2.3 center tc rgb quiet
# Concatenate: narrow boxes side by side.
set object 4 rect from 12.4, 6.5 to 14.7, 7.7 fs solid 0.25 border lc rgb token fc rgb token
set object 5 rect from 15.9, 6.5 to 17.0, 7.7 fs solid 0.25 border lc rgb position fc rgb position
set label 36 'x' at 13.55, 7.1 center tc rgb ink
set label 37 'p' at 16.45, 7.1 center tc rgb ink
set arrow 2 from 15, 6.2 to 15, 4.6 lc rgb quiet lw 1.4
set object 6 rect from 13.3, 3.1 to 15.6, 4.3 fs solid 0.25 border lc rgb token fc rgb token
set object 7 rect from 15.6, 3.1 to 16.7, 4.3 fs solid 0.25 border lc rgb position fc rgb position
set label 38 'x' at 14.45, 3.7 center tc rgb ink
set label 39 'p' at 16.15, 3.7 center tc rgb ink
set label 40 '(d − d_p) + d_p  dimensions' at 15, 2.3 center tc rgb quiet
# Concatenate and project.
set object 8 rect from 21.6, 6.5 to 25, 7.7 fs solid 0.25 border lc rgb token fc rgb token
set object 9 rect from 25, 6.5 to 28.4, 7.7 fs solid 0.25 border lc rgb position fc rgb position
set label 41 'x' at 23.3, 7.1 center tc rgb ink
set label 42 'p' at 26.7, 7.1 center tc rgb ink
set arrow 3 from 25, 6.2 to 25, 4.6 lc rgb quiet lw 1.4
set label 43 'W' at 25.5, 5.4 left tc rgb ink
set object 10 rect from 23.3, 3.1 to 26.7, 4.3 fs solid 0.25 border lc rgb token fc rgb position
set label 44 'W_1x + W_2p' at 25, 3.7 center tc rgb ink
set label 45 'd dimensions' at 25, 2.3 center tc rgb quiet
# Rotate: only x enters, queries and keys are turned.
set object 11 rect from 33.3, 6.5 to 36.7, 7.7 fs solid 0.25 border lc rgb token fc rgb token
set label 46 'x' at 35, 7.1 center tc rgb ink
set arrow 4 from 34.2, 6.2 to 32.9, 4.6 lc rgb quiet lw 1.4
set arrow 5 from 35.8, 6.2 to 37.1, 4.6 lc rgb quiet lw 1.4
set object 12 rect from 31.0, 3.1 to 34.6, 4.3 fs solid 0.25 border lc rgb position fc rgb token
set object 13 rect from 35.4, 3.1 to 39.0, 4.3 fs solid 0.25 border lc rgb position fc rgb token
set label 47 'R(t) Qx' at 32.8, 3.7 center tc rgb ink
set label 48 'R(s) Kx' at 37.2, 3.7 center tc rgb ink
set label 49 'in every layer, in each head' at 35, 2.3 center tc rgb quiet
if (!phone) { plot NaN notitle } else {
  # One below another, each as wide as the picture.
  set multiplot
  set lmargin at screen 0
  set rmargin at screen 1
  do for [i = 1:4] {
    set xrange [10 * i - 10:10 * i] noextend
    set tmargin at screen 0.93 - 0.235 * (i - 1)
    set bmargin at screen 0.725 - 0.235 * (i - 1)
    plot NaN notitle
    unset label 1
  }
  unset multiplot
}
