E06 Even Or Odd

Only the last digit counts and its code is even exactly when it is
cell 0: the last character   cell 1: 1 if odd   cell 2: helper   cell 4: letters

>,                                          read
[                                           while there is a character
  <[-]>[<+>-]                               it replaces the one before
  ,                                         read the next
]<
[                                           for each unit of the code
  ->>+<[>-<-]                               helper becomes 1 minus cell 1
  >[<+>-]<<                                 and moves into cell 1: it flips
]
>>>++++++++++[>++++++++++<-]<+<             cell 4 becomes 100 and cell 2 says even
[                                           odd
  ->-                                       then it is not even
  >>+++++++++++.                            o is 111
  -----------..                             d is 100: twice
  <<<
]>
[                                           even
  ->>+.                                     e is 101
  +++++++++++++++++.                        v is 118
  -----------------.                        e is 101
  +++++++++.                                n is 110
  <<
]
