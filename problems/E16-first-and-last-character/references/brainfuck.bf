The space waits in the cell before the line: print the first character and the space then run to the
last character which may be the first again

++++[->++++++++<]           space in cell 1
>>,.<.                      first character and space
>[>,]<.                     last character
