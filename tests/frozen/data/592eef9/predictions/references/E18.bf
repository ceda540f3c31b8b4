E18 Count Spaces

cell 0: character   cell 1: 1 if space
cell 2: ones   cell 5: tens   cell 8: hundreds   each with two helpers after it

,                                           read
[                                           while there is a character
  >+<                                       say space until we know better
  --------------------------------          take away 32
  [[-]>-<]>                                 something remains: no space
  [                                         space: count it
    ->
    +                                       one more
    [>+>+<<-]>>[<<+>>-]                     copy the ones
    +<----------[[-]>-<]>                   flag: the ones have reached ten
    [                                       then carry
      -<<---------->>>+                     ones become zero and the tens one more
      [>+>+<<-]>>[<<+>>-]                   copy the tens
      +<----------[[-]>-<]>                 flag: the tens have reached ten
      [-<<---------->>>+<]                  tens become zero and the hundreds one more
      <<<
    ]<<                                     back to the ones
    <
  ]
  <,                                        read the next
]>>

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
