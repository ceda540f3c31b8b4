Skip the first line; for each number of the second add its digits with their sign to those of the sum
and carry at once; a bias makes each digit positive before it is divided by ten

cell 0: more to read   cell 2: go on   cell 3: character   cell 4: helper   cell 5: minus sign
From cell 6 on six cells for each digit   ones first: sum   digit plus 1 while it is read or the
divisor ten   remainder   carry   two empty cells
Bias: 20 for the ones and 18 for the others since the digit before carries 2 too much; so the last carry
is 2 or 1 if the sum is negative

,----------[,----------]    the first line

+[                          each number
  >>+[-<<[-]>>>,[<<<+>>>    another character: there is more unless it is 0
    >++++[-<-------->]<     minus 32: nothing is left of a space
    [
      <+>                   the number goes on
      -------------         minus 13: nothing is left of a minus sign
      >+<[                  a digit
        >-<---              its value
        >>>>[>>>>>>]<<<<<<[[->>>>>>+<<<<<<]<<<<<<]  earlier digits move up
        >>[->>>>+<<<<]>>>>+<<<<  the new one becomes the last   plus 1
      ]
      >[->+<]<              minus sign
    ]
  ]<]
  >>>[[-]                   negative: subtract its digits
    >>[>>>>>>]<<<<<<[-[-<->]<<<<<<]>>>>
  ]
  >>[>>>>>>]<<<<<<[-[-<+>]<<<<<<]  else add them
  <
  >>>>>>++<+++++++          seven digits
  [->++++++++++++++++++     plus 18
    >++++++++++<[->-[>+>>]>[+[-<+>]>+>>]<<<<<]  divide by ten
    >>>[->>>+<<<]           the carry goes to the next digit
    <<<<[->>>>>>+<<<<<<]>>>>>>  and the number of digits left too
  ]
  >--[+<<<<---------->>>>]  a negative sum: minus ten for its first digit
  <<<<<[[-]>[-<<+>>]<<<<<<<]<  the remainders are the digits
]

+[                          carry once more
  >>>>>>++<+++++++
  [->++++++++++++++++++     plus 18
    >++++++++++<[->-[>+>>]>[+[-<+>]>+>>]<<<<<]  divide by ten
    >>>[->>>+<<<]           the carry goes to the next digit
    <<<<[->>>>>>+<<<<<<]>>>>>>  and the number of digits left too
  ]
  >>++<[->-<]>              2 minus the last carry
  [                         negative
    -<+>>+++++[->+++++++++<]>.  sign   and 1 for the next carry
    <<<<<<<<[[-]>[-<<->>]<<<<<<<]  negate the remainders and start from them
  ]<
]

<<<<<<<<<<<                 the digit before the first one
[>>>>>>>[->+>+<<]>          a digit counts if it or one before it is not 0
  [[-<<<<<<+>>>>>>]>>++++++[-<++++++++>]<.<]
  <<<<<<<<<<<<<<
]
>>>>>>>>>++++++[-<<++++++++>>]<<.  the ones always
