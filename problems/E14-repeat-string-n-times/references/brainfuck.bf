Read N into one cell and the line into the cells after it; N times print up to its end and scan back

cell 0: character   cell 1: N   cell 2: helper and then the empty cell before the line

,----------[                up to the newline which is 10
  >[->++++++++++<]>[-<+>]   N times ten
  ++++++[-<<------>>]<<--   the digit: another 38 less
  [->+<]                    add it
,----------]
>>>,[>,]<[<]                the line from cell 3 on
<[->>[.>]<[<]<]             print it N times
