Copy up to the newline   print a space   copy the rest

,----------[++++++++++.,----------]  a newline minus 10 is 0 and ends the loop
++++[->++++++++<]>.         space
,[.,]
