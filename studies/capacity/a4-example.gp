#: claim: A4
#: title: A sum that is a concatenation, and the same after a rotation
#: caption: The word (3, 1) and the position (2, −1), each in coordinates of its own; below, the same three vectors rotated alike. The dot product of the sum with
#:   the word stays 10, that with the position 5.
#: alt: Two rows of boxes. Above, a word in the first two of four boxes and a position in the last two; their sum holds both side by side. Below, rotated, every
#:   box of the sum holds some word and some position.
#: size: 860x230

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
set xrange [-3.6:16.4] noextend
set yrange [0:5.2] noextend
$boxes << END
row,group,place,number,is
1,0,0,3,word
1,0,1,1,word
1,0,2,0,none
1,0,3,0,none
1,1,0,0,none
1,1,1,0,none
1,1,2,2,position
1,1,3,−1,position
1,2,0,3,word
1,2,1,1,word
1,2,2,2,position
1,2,3,−1,position
0,0,0,2,word
0,0,1,1,word
0,0,2,2,word
0,0,3,1,word
0,1,0,0.5,position
0,1,1,1.5,position
0,1,2,−0.5,position
0,1,3,−1.5,position
0,2,0,2.5,both
0,2,1,2.5,both
0,2,2,1.5,both
0,2,3,−0.5,both
END
across(g, i) = 6.0 * g + i
up(r) = 0.4 + 2.4 * r
is_of(name, y) = strcol('is') eq name || strcol('is') eq 'both' ? y : NaN
# In the rotated sum each box is half word, half position.
lowest(name) = up(column('row')) + (strcol('is') eq 'both' && name eq 'position' ? 0.6 : 0)
highest(name) = up(column('row')) + (strcol('is') eq 'both' && name eq 'word' ? 0.6 : 1.2)
do for [r = 0:1] {
  name = r ? 'own coordinates' : 'all rotated'
  set label 10 + r name at -0.35, up(r) + 0.6 right tc rgb quiet
  set label 20 + r '+' at 5, up(r) + 0.6 center tc rgb ink
  set label 30 + r '=' at 11, up(r) + 0.6 center tc rgb ink
}
set label 40 'word' at 2, 4.6 center tc lt of_words
set label 41 'position' at 8, 4.6 center tc lt of_positions
set label 42 'sum' at 14, 4.6 center tc rgb ink
plot for [name in 'word position'] $boxes using (across(column('group'), column('place'))):(is_of(name, lowest(name))):(across(column('group'), column('place'))):(across(column('group'), column('place')) + 1):(lowest(name)):(highest(name)) \
       with boxxyerror fs transparent solid 0.3 noborder lc rgb word(marks, name eq 'word' ? of_words : of_positions), \
     $boxes using (across(column('group'), column('place'))):(up(column('row'))):(across(column('group'), column('place'))):(across(column('group'), column('place')) + 1):(up(column('row'))):(up(column('row')) + 1.2) \
       with boxxyerror fs empty border lc rgb quiet lc rgb quiet lw 1, \
     $boxes using (across(column('group'), column('place')) + 0.5):(up(column('row')) + 0.6):(strcol('number')) with labels center tc rgb ink noenhanced
