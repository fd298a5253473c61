#: claim: O4
#: needs: orthogonality/o4_largest.csv
#: title: 64 random dimensions and 128 of the positions', of 512, meet at {{O4.largest_cosine.d512.k64.r128|.0deg}}
#: caption: Smallest principal angle between a random k-dimensional word subspace and the r leading dimensions of 2,048 sinusoidal
#:   positions, d = 512, mean over draws, in degrees; ring: k = 64, r = 128. From the dotted line k + r = d on, the subspaces share a
#:   direction.
#: alt: Heat map of the smallest principal angle over the shares k/d and r/d of the dimensions. It falls with both and is zero beyond the
#:   line k + r = d. Example: {{O4.largest_cosine.d512.k64.r128|.0deg}} at k = 64 and r = 128.
#: size: 700x620
#: phone: 340x440

half = 0.0404  # a little over half of a cell: ranks lie at whole multiples of twice that
set size ratio -1
set xlabel 'dimensions of the words, k/d'
set ylabel 'dimensions of the positions, r/d'
set xrange [half:1] noextend
set yrange [half:1] noextend
set xtics 0.2
set ytics 0.2
set tmargin at screen (phone ? 0.8 : 0.91)
set bmargin at screen (phone ? 0.15 : 0.13)
set lmargin at screen (phone ? 0.18 : 0.12)
set rmargin at screen (phone ? 0.83 : 0.82)
set border 0
unset key
unset grid
# Viridis (van der Walt and Smith 2015) in nine steps: its brightness grows evenly, for every kind of colour vision.
set palette defined (0 '#440154', 1 '#472d7b', 2 '#3b528b', 3 '#2c728e', 4 '#21918c', 5 '#28ae80', \
                     6 '#5ec962', 7 '#addc30', 8 '#fde725')
set style fill solid 1 noborder
set cbrange [0:60]
unset colorbox
set multiplot

cell(x) = strcol('measure') eq 'grid' ? x / column('d') : NaN
angle = "degrees(column('largest'))"
ink_on(angle) = angle < 30 ? 0xfffffe : 0x1f2329  # dark ink on the bright part
set label 20 'k + r = d' at 0.30, 0.74 left front tc rgb 0xfffffe
set label 21 '' at 64.0 / 512, 128.0 / 512 point pt 6 ps 1.3 lw 2 lc rgb 0x1f2329 front
set arrow 20 from half, 1 - half to 1 - half, half nohead front lc rgb 0xfffffe lw 2 dt (1.5, 4)
plot data_o4_largest using (cell(column('k'))):(column('r') / column('d')):(half):(half):(@angle) with boxxyerror fc palette, \
     data_o4_largest using (phone || @angle < 1 ? NaN : cell(column('k'))):(column('r') / column('d')):(sprintf('%.0f', @angle)):(ink_on(@angle)) \
       with labels font small tc rgb variable
unset label
degree = "('0°' 0, '15°' 15, '30°' 30, '45°' 45, '60°' 60)"
if (phone) { eval colour_bar(0.85, 0.22, 0.03, 0.5, 0, 60, degree) } else {
  set label 1 'smallest principal angle' at screen 0.965, screen 0.52 center rotate by 90 tc rgb ink
  eval colour_bar(0.85, 0.13, 0.03, 0.78, 0, 60, degree)
}
unset multiplot
