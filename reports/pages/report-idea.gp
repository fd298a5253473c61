#: claim: A4
#: title: Words choose the place on a sheet, positions choose the sheet
#: caption: Three words at three positions. From above all sheets look alike, and what is left is the word. From the side each is a line, and what is left is the position.
#: alt: Three sheets, one above the other. On each the same three points, “cat”, “sat” and “mat”, at the same places. An arrow across the sheets is labelled as the position.
#: size: 860x380
#: phone: 340x330

unset key
unset border
unset xtics
unset ytics
set grid noxtics noytics
set xlabel ''
set ylabel ''
set lmargin 1
set rmargin 1
set bmargin 1
set xrange [(phone ? -1.3 : -3):(phone ? 11 : 13)] noextend
set yrange [-0.8:8] noextend
# The place (u, v) on sheet h.
x(u, v) = u + 0.9 * v
y(v, n) = 2.8 * n + 0.55 * v
wide = 6.2
deep = 3.2
do for [n = 0:2] {
  set object 1 + n polygon from x(0, 0), y(0, n) to x(wide, 0), y(0, n) to x(wide, deep), y(deep, n) to x(0, deep), y(deep, n) to x(0, 0), y(0, n) \
    fs transparent solid 0.15 border lc rgb word(marks, of_positions) fc rgb word(marks, of_positions) behind
  name = (phone ? '' : 'position ') . (n + 1)
  set label 10 + n name at x(0, 0) - 0.2, y(0.25, n) right tc lt of_positions
}
set arrow 1 from x(wide, deep) + 0.3, y(deep, 0) to x(wide, deep) + 0.3, y(deep, 2) lc rgb quiet lw 1.4
if (phone) { set label 30 'the position' at x(wide, deep) + 0.3, y(deep, 2) + 0.35 right tc rgb ink } else { set label 30 'which sheet: the position' at x(wide, deep) + 0.6, y(deep, 1) left tc rgb ink }
set label 31 'place on the sheet: the word' at x(wide / 2, 0), y(0, 0) - 0.45 center tc rgb ink
$words << END
u,v,word
0.9,0.8,cat
2.6,2.3,sat
4.6,0.9,mat
END
plot for [n = 0:2] $words using (x($1, $2)):(y($2, n)) with points ls of_words ps 1, \
     for [n = 0:2] $words using (x($1, $2) + 0.25):(y($2, n)):3 with labels left offset (phone ? 0.6 : 0), 0 tc rgb ink notitle
