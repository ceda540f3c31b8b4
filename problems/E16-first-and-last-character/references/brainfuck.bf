The space waits in the cell before the line; after the first character and the space run right: the
cell before the end is the last character even if it is the first

++++[->++++++++<]           space in cell 1
>>,.<.                      first character and space
>[>,]<.                     last character
