Store the first line up to the newline   then for each stored character: print it and
read one of the second line into its cell and print that

>,----------[++++++++++>,----------]  the first line
<[<]>                                 its start
[.,.>]                                one of each
