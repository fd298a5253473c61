#: claim: V1
#: needs: anatomy/v1_heatmap.csv
#: title: Slow dimensions look constant because 128 positions are a small part of their period
#: caption: The sinusoidal encoding of 512 dimensions at 128 positions, base T = 10,000; even dimensions are sines, odd ones cosines, so
#:   that neighbouring columns differ. Bracket: the last {{V1.still.d512.l128}} dimensions stay within a tenth of 0 or 1 over all
#:   positions shown; over 512 positions {{V1.still.d512.l512}} do, over 8,192 {{V1.still.d512.l8192}}.
#: alt: Heat map, 512 dimensions across, positions 0 to 127 down. On the left fast waves make a pattern of crossing bands; towards the
#:   right the waves get longer, and the last {{V1.still.d512.l128}} dimensions alternate between 0 and 1 without changing.
#: number: still = V1.still.d512.l128
#: size: 920x540

unset key
unset grid
set border 0
set xlabel 'dimension'
set ylabel 'position'
set xrange [-0.5:511.5] noextend
set yrange [127.5:-0.5] noextend
set xtics ('0' 0, '64' 64, '128' 128, '192' 192, '256' 256, '320' 320, '384' 384, '448' 448, '511' 511)
set ytics ('0' 0, '32' 32, '64' 64, '96' 96, '127' 127)
# 1.5 x 3 pixels an entry
set tmargin at screen 0.841
set bmargin at screen 0.130
set lmargin at screen 0.080
set rmargin at screen 0.9148
# Diverging: Crameri's vik (2018, Zenodo 1243862), even in lightness on both sides; one palette for both themes.
set palette defined (0 '#001261', 1 '#033e7d', 2 '#1e6f9d', 3 '#71a8c4', 4 '#c9dde7', 5 '#eacebd', 6 '#d39774', 7 '#be6533', 8 '#8b2706', 9 '#590008')
set palette maxcolors 41
set cbrange [-1:1]
unset colorbox
set style fill solid 1 noborder
set arrow 1 from first 511.5 - still, graph 1.025 to first 511.5, graph 1.025 nohead lc rgb quiet lw 1.5
set arrow 2 from first 511.5 - still, graph 1.025 to first 511.5 - still, graph 1.005 nohead lc rgb quiet lw 1.5
set arrow 3 from first 511.5, graph 1.025 to first 511.5, graph 1.005 nohead lc rgb quiet lw 1.5
set label 2 sprintf('%.0f dimensions stay within .1 of 0 or 1', still) at first 511.5, graph 1.065 right tc rgb ink font small
set label 3 'one column is one wave, read downwards' at first -0.5, graph 1.065 left tc rgb quiet font small
set multiplot
# The matrix without its header row and its column of row numbers, whose texts would become tick labels.
unset datafile columnheaders
plot data_v1_heatmap skip 1 matrix every 1:1:1:0 using 2:($1 - 1):3 with image
unset label
eval colour_bar(0.93, 0.13, 0.02, 0.711, -1, 1, "('−1' -1, '−.5' -0.5, '0' 0, '.5' 0.5, '1' 1)")
unset multiplot
