# One look for every figure. Loaded before the script; figure_width and figure_height are
# pixels; `phone` is 1 for the form on a phone (its size is that of the header's line "phone").
# Colours: Okabe and Ito (2008), told apart by readers with any colour vision. A picture is drawn once, on white; where a
# reader's theme is dark, each colour of the lines "dark" below (and the opacity of an interval) is shown as the other that its
# line names, everything else as drawn: what lies on a coloured patch takes a neighbouring value, 0xfffffe or 0x1f2329.
#
# What a script may use
#   marks         ls 1 … 8 for data, ls 10 dashed grey for theory, ls 11 dotted grey for chance; the fill of an
#                 interval: `with filledcurves fs solid interval_fill ls 1`; as colours `lc rgb word(marks, 1)`
#   text          tc lt 1 … 8: the same colours, darkened until they have 4.5 : 1 on the ground; `ink` and `quiet`
#   the same everywhere
#                 ls added, concatenated, without, rotated   how positions come in
#                 ls of_words, of_positions                  what is looked at
#                 dt sinusoidal, learned, random             which positions
#                 ls model_style(name, all)                        one of the released models
#   panels        eval panel(i, n): the i-th of n in a row, of panel_rows rows, on a phone all below one another, or
#                 phone_columns in a row; `unset label 1` is in it
#   functions     pick(column, text, x)   x in the rows whose `column` holds `text`, a gap elsewhere
#                 at(column, number, x)   the same for a number
#                 degrees(cosine)         an angle
#                 display_name(text)      what readers see in place of a model's name or another identifier
#   labels        set label 2 'name' at x, y tc lt 1: a curve's name beside it in its colour, instead of the key
#                 (label 1 is the title); font small where there is no room, the smallest that is read at 860 pixels
#   strings       single-quoted only: gnuplot runs backticks that stand in double quotes
#
# Rows are lines of a CSV table, read by column name:
#   plot data_o1_spread using (pick('family', 'gaussian', column('d'))):(column('spread_sqrt_d')) ls 1

set encoding utf8
set datafile separator ','
set datafile columnheaders
set datafile missing NaN

ink = 0x1f2328
quiet = 0x59636e
faint = 0xe7eaee
interval_fill = 0.22
marks = '#0072b2 #d55e00 #009e73 #cc79a7 #e69f00 #56b4e9 #a89b00 #1f2328'
texts = '#0072b2 #b84f00 #007d5b #a8507f #8f6400 #2a78a8 #736a00 #1f2328'
#: dark: #ffffff #0d1117
#: dark: #1f2328 #e6edf3
#: dark: #59636e #9198a1
#: dark: #afb8c1 #59636e
#: dark: #e7eaee #21262d
#: dark: 0.220000 0.32
#: dark: #0072b2 #56b4e9
#: dark: #d55e00 #ff8a3d
#: dark: #b84f00 #ff8a3d
#: dark: #009e73 #2fc79a
#: dark: #007d5b #2fc79a
#: dark: #cc79a7 #e59ac4
#: dark: #a8507f #e59ac4
#: dark: #e69f00 #f0b429
#: dark: #8f6400 #f0b429
#: dark: #56b4e9 #b6dcf5
#: dark: #2a78a8 #b6dcf5
#: dark: #a89b00 #f0e442
#: dark: #736a00 #f0e442
shapes = '7 5 9 13 11 6 4 8'
do for [i = 1:8] {
  set style line i lc rgb word(marks, i) lw 2 pt (word(shapes, i) + 0) ps (strstrt('3458', sprintf('%d', i)) ? 0.65 : 0.55)
  set linetype i lc rgb word(texts, i)
}
added = 1; concatenated = 2; without = 8; rotated = 3
of_words = 4; of_positions = 3
sinusoidal = 1; learned = 2; random = 3
set dashtype 1 solid
set dashtype 2 (9, 3)
set dashtype 3 (2, 2.5)
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
title_height = 43 + 17 * (title_lines - 1)
key_top = 1 - 1.0 * title_height / figure_height
set key at screen 0.012, screen key_top left top vertical maxrows 1 Left reverse textcolor rgb ink samplen 1.6 width 0 \
  noenhanced noopaque noautotitle
if (phone) { set tics scale 0; set xtics offset 0, 0.2; set xlabel offset 0, 0.9; set ylabel offset 0.8, 0 }
set lmargin 11
set rmargin 3
set tmargin phone ? 3 + 1.3 * (title_lines - 1) : 4.8 + 1.1 * (title_lines - 1)
set bmargin 3.6
if (phone) { set lmargin 10; set bmargin 3.2 }
set style fill solid interval_fill noborder
set errorbars small
# Gnuplot 6 would blank out bars and lines around their points, and with them the narrowest intervals.
unset pointintervalbox
# Enough for what is straight in its axes; a curve asks for more.
set samples 2
set minussign
unset mouse

# The smallest text, 12 pixels where the picture is shown 860 wide.
small = sprintf(',%.1f', figure_width > 860 ? 12 * figure_width / 860.0 : 12)

# In pixels: the room beside, above (title and headings) and below all panels, and between them.
panel_rows = 1
phone_columns = 1
panel_columns(n) = phone ? phone_columns : n
panel_lines(n) = phone ? (panel_rows * n + phone_columns - 1) / phone_columns : panel_rows
panel_left = phone ? 74 : 92; panel_right = 20; panel_top = 31 + title_height; panel_bottom = phone ? 58 : 68
panel_across = 100; panel_down = phone ? 80 : 46
panel_width(n) = (figure_width - panel_left - panel_right - (panel_columns(n) - 1.0) * panel_across) / panel_columns(n)
panel_height(n) = (figure_height - panel_top - panel_bottom - (panel_lines(n) - 1.0) * panel_down) / panel_lines(n)
panel_x(i, n) = panel_left + ((i - 1) % panel_columns(n)) * (panel_width(n) + panel_across)
panel_y(i, n) = panel_top + ((i - 1) / panel_columns(n)) * (panel_height(n) + panel_down)
panel(i, n) = sprintf('set lmargin at screen %.5f; set rmargin at screen %.5f; set tmargin at screen %.5f; set bmargin at screen %.5f', \
  panel_x(i, n) / figure_width, (panel_x(i, n) + panel_width(n)) / figure_width, \
  1 - 1.0 * panel_y(i, n) / figure_height, 1 - (panel_y(i, n) + panel_height(n)) / figure_height) . (i > 1 ? '; unset label 1' : '')

# eval colour_bar(x, y, wide, high, from, to, tics): the palette beside or below the panels of a multiplot, as an image and with
# few bytes (gnuplot's own is 128 rectangles); in parts of the screen, after the last panel; tics as in "set ytics".
colour_bar(x, y, wide, high, from, to, tics) = 'unset arrow; unset object; unset grid; unset xtics; unset ytics; unset xlabel; unset ylabel; ' \
  . 'unset logscale; set border 0; set size noratio; unset datafile columnheaders; set datafile separator whitespace; ' \
  . sprintf('set lmargin at screen %.5f; set rmargin at screen %.5f; set bmargin at screen %.5f; set tmargin at screen %.5f; ', x, x + wide, y, y + high) \
  . (wide * figure_width > high * figure_height ? sprintf('set yrange [-0.5:1.5] noextend; set xrange [%g:%g] noextend; set xtics %s; ', from, to, tics) \
    : sprintf('set xrange [-0.5:1.5] noextend; set yrange [%g:%g] noextend; set y2range [%g:%g] noextend; set y2tics %s; ', from, to, from, to, tics)) \
  . sprintf('plot sample [u=0:1:1] [v=%g:%g:%g] "++" using %s with image', from + (to - from) / 128.0, to, (to - from) / 64.0, \
    wide * figure_width > high * figure_height ? '2:1:2' : '1:2:2')

pick(name, text, x) = (strcol(name) eq text) ? x : NaN
at(name, number, x) = (column(name) == number) ? x : NaN
degrees(cosine) = 180 / pi * acos(cosine > 1 ? 1 : cosine)
place_in(name, all) = sum [k = 1:words(all)] (word(all, k) eq name ? k : 0)
model_style(name, all) = (place_in(name, all) - 1) % 7 + 1
