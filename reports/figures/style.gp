# One look for every figure. Loaded before the script; `theme` is 'light' or 'dark', figure_width and figure_height are
# pixels.
# Colours: Okabe and Ito (2008), told apart by readers with any colour vision; on the dark ground the black and the two
# darkest are lightened.
#
# What a script may use
#   style         ls 1 … 8 for data, ls 10 dashed grey for theory, ls 11 dotted grey for chance; the fill of an
#                 interval: `with filledcurves fs solid interval_fill ls 1`; text colours `ink` and `quiet`
#   functions     pick(column, text, x)   x in the rows whose `column` holds `text`, a gap elsewhere
#                 at(column, number, x)   the same for a number
#   labels        set label 2 'name' at x, y tc ls 1: a curve's name beside it in its colour, instead of the key
#                 (label 1 is the title)
#   strings       single-quoted only: gnuplot runs backticks that stand in double quotes
#
# Rows are lines of a CSV table, read by column name:
#   plot data_o1_spread using (pick('family', 'gaussian', column('d'))):(column('spread_sqrt_d')) ls 1

set encoding utf8
set datafile separator ','
set datafile columnheaders
set datafile missing NaN

dark = theme eq 'dark'
ink = dark ? 0xe6edf3 : 0x1f2328
quiet = dark ? 0x9198a1 : 0x59636e
faint = dark ? 0x21262d : 0xe7eaee
interval_fill = dark ? 0.32 : 0.22

set linetype 1 lc rgb (dark ? 0x56b4e9 : 0x0072b2) lw 2 pt 7 ps 0.55
set linetype 2 lc rgb (dark ? 0xff8a3d : 0xd55e00) lw 2 pt 5 ps 0.55
set linetype 3 lc rgb (dark ? 0x2fc79a : 0x009e73) lw 2 pt 9 ps 0.65
set linetype 4 lc rgb (dark ? 0xe59ac4 : 0xcc79a7) lw 2 pt 13 ps 0.65
set linetype 5 lc rgb (dark ? 0xf0b429 : 0xe69f00) lw 2 pt 11 ps 0.65
set linetype 6 lc rgb (dark ? 0xb6dcf5 : 0x56b4e9) lw 2 pt 6 ps 0.55
set linetype 7 lc rgb (dark ? 0xf0e442 : 0xa89b00) lw 2 pt 4 ps 0.55
set linetype 8 lc rgb ink lw 2 pt 8 ps 0.65
do for [i = 1:8] { set style line i lt i }
set style line 10 lc rgb quiet lw 1.6 dt (6, 4)
set style line 11 lc rgb quiet lw 1.6 dt (1.5, 4)

set border 3 lc rgb quiet lw 1
set tics nomirror out scale 0.5 textcolor rgb quiet
set grid back lc rgb faint lw 1 lt 1 dt solid
set xlabel textcolor rgb ink
set ylabel textcolor rgb ink
# Title over the left edge of the picture, the key in one row below it, the plot below both.
set label 1 figure_title at screen 0, screen 1 offset character 1.6, character -1.5 left noenhanced \
  textcolor rgb ink font 'DejaVu Sans Bold,14'
key_top = 1 - 43.0 / figure_height
set key at screen 0.012, screen key_top left top vertical maxrows 1 Left reverse textcolor rgb ink samplen 1.6 width 0 \
  noenhanced noopaque
set lmargin 11
set rmargin 3
set tmargin 4.8
set bmargin 3.6
set style fill solid interval_fill noborder
set errorbars small
# Gnuplot 6 would blank out bars and lines around their points, and with them the narrowest intervals.
unset pointintervalbox
set samples 400
set minussign
unset mouse

pick(name, text, x) = (strcol(name) eq text) ? x : NaN
at(name, number, x) = (column(name) == number) ? x : NaN
