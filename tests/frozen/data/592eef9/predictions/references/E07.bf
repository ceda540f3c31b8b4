E07 String Length

One cell cannot count to 300 so the count is kept in decimal
cell 0: character   cell 1: ones   cell 4: tens   cell 7: hundreds
the two cells after each digit are its helpers

,                                           read
[                                           while there is a character
  [-]>                                      forget it and count:
  +                                         one more
  [>+>+<<-]>>[<<+>>-]                       copy the ones
  +<----------[[-]>-<]>                     flag: the ones have reached ten
  [                                         then carry
    -<<---------->>>+                       ones become zero and the tens one more
    [>+>+<<-]>>[<<+>>-]                     copy the tens
    +<----------[[-]>-<]>                   flag: the tens have reached ten
    [-<<---------->>>+<]                    tens become zero and the hundreds one more
    <<<
  ]<<                                       back to the ones
  <,                                        read the next
]>

print the counter: from its ones cell to the hundreds
>>>>>>
[                                           hundreds only if there are any
  [>+<-]<+>                                 a mark two cells right of the tens: started
  >>++++++[<++++++++>-]<.[-]<               add 48 and print
]
<<<[>+>+<<-]>>                              tens if started or not zero
[
  [-]++++++[<++++++++>-]<.>                 add 48 and print
]
<<<<++++++[<++++++++>-]<.                   ones in any case
