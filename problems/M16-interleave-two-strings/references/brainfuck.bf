Store the first line; then print each of its characters and read one of the second line into the
same cell and print that

>,----------[++++++++++>,----------]  the first line
<[<]>                                 its start
[.,.>]                                one of each
