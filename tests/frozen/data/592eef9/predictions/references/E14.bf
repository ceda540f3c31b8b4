E14 Repeat String N Times

cell 0: N   cell 1: character and then the 0 in front of the line   cell 2: helper
from cell 2 on: the line

>,----------                                read and take away 10
[                                           until the newline
  -------------------                       take away 19
  -------------------                       twice: that leaves the digit
  <[>>+<<-]                                 move N to the helper
  >>[<<++++++++++>>-]                       and back ten times as large
  <[<+>-]                                   add the digit
  ,----------                               read the next
]
>,[>,]                                      store the line
<[<]                                        back to the 0 in front
<
[                                           N times
  ->>[.>]                                   print the line
  <[<]<                                     and walk back to N
]
