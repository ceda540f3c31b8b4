Read the number up to the newline and store the line after it on the tape: print it and go back
N times
cell 0: character   cell 1: N   cell 2: helper and then the empty cell before the line

,----------[                up to the newline which is 10
  >[->++++++++++<]>[-<+>]   N times ten
  ++++++[-<<------>>]<<--   the digit: another 38 less
  [->+<]                    add it
,----------]
>>>,[>,]<[<]                the line from cell 3 on
<[->>[.>]<[<]<]             print it N times
