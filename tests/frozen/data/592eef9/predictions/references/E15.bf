E15 Concatenate Two Lines

Everything is copied but the newline which becomes a space
cell 0: character   cell 1: 1 if newline   cell 2: a space

>>>++++++++[<++++>-]<<<                     cell 2 becomes 32
,                                           read
[                                           while there is a character
  >+<----------                             say newline and take away 10
  [                                         something remains: another character
    ++++++++++.                             restore and print it
    [-]>-<                                  no newline
  ]>
  [->.<]                                    newline: print the space
  <,                                        read the next
]
