E09 Count Vowels

From each character the distances between the vowels are taken away one after the other
if nothing remains at any time then it was a vowel and all inner loops are skipped
cell 0: character   cell 1: 1 if vowel
cell 2: ones   cell 5: tens   cell 8: hundreds   each with two helpers after it

,                                           read
[                                           while there is a character
  >+<                                       say vowel until we know better
  ----------------------------------------  take away 40
  -------------------------                 and 25: A was 65
  [----[----[------[------                  E 69 and I 73 and O 79 and U 85
  [------------[----[----[------[------     a 97 and e 101 and i 105 and o 111 and u 117
  [[-]>-<]                                  something remains: no vowel
  ]]]]]]]]]>
  [                                         vowel: count it
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
