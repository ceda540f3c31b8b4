Copy up to the newline and print a space and copy the rest; the cell is 0 after the newline and
counts for the space

,----------[++++++++++.,----------]  a newline minus 10 is 0 and ends the loop
++++[->++++++++<]>.         space
,[.,]
