#: claim: V1
#: needs: anatomy/v1_heatmap.csv
#: title: The same encoding in two orders of its dimensions: sines before cosines, and interleaved
#: caption: The sinusoidal encoding of 512 dimensions at 128 positions, base 10,000. Above, half-split, as in many programs: all sines, then all cosines.
#:   Below, interleaved, as in the paper: sine and cosine of a frequency side by side. Only the order of the columns
#:   differs, so no product of positions does.
#: alt: Two heat maps of one table. Above, two smooth fans side by side: sines that end in 0 and cosines that end in 1. Below, neighbouring columns alternate, and the
#:   right end is striped: {{V1.still.d512.l128}} dimensions stay within a tenth of 0 or 1.
#: size: 860x640

unset key
unset grid
set border 0
set xrange [-0.5:511.5] noextend
set yrange [127.5:-0.5] noextend
set ytics ('0' 0, '64' 64, '127' 127)
set ylabel 'position'
# One palette for both themes, whose pixels the file then holds once.
set palette defined (0 '#001261', 1 '#033e7d', 2 '#1e6f9d', 3 '#71a8c4', 4 '#c9dde7', 5 '#eacebd', 6 '#d39774', 7 '#be6533', 8 '#8b2706', 9 '#590008')
set palette maxcolors 49
set cbrange [-1:1]
unset colorbox
set style fill solid 1 noborder
unset datafile columnheaders
panel_rows = 2; panel_left = 70; panel_right = 80; panel_down = 74
set multiplot
eval panel(1, 1)
set label 2 'half-split' at graph 0, graph 1.06 left tc rgb ink
set xtics ('0' 0, '128' 128, '256' 256, '384' 384, '511' 511)
plot data_v1_heatmap skip 1 matrix every 1:2:1:0 using ($2 / 2):($1 - 1):3 with image, \
     data_v1_heatmap skip 1 matrix every 1:2:1:1 using (256 + ($2 - 1) / 2):($1 - 1):3 with image
eval panel(2, 1)
set label 2 'interleaved'
set xlabel 'column'
plot data_v1_heatmap skip 1 matrix every 1:1:1:0 using 2:($1 - 1):3 with image
unset label
eval colour_bar(0.93, 0.12, 0.02, 0.74, -1, 1, '1')
unset multiplot
