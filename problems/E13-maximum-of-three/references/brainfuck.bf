Store each digit plus 1 (as a negative number if there is a minus): then the first two digits from
the left that differ compare as the numbers do; the greater number replaces the best one

cell 0: numbers to read   cell 2: go on   cell 3: character   cell 4: helper   cell 5: minus sign
From cell 6 on six cells for each digit   ones first: digit   difference found so far
difference   helper   digit while it is read   digit of the best number

+++>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>+<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<  three numbers   the first of them is always best
[-
  >>+[->,[                  another character: 0 at the end of the input
    >++++[-<-------->]<     minus 32: nothing is left of a space
    [
      <+>                   the number goes on
      -------------         minus 13: nothing is left of a minus sign
      >+<[                  a digit
        >-<---              its value
        >>>>>>>[>>>>>>]<<<<<<[[->>>>>>+<<<<<<]<<<<<<]  earlier digits move up
        <[->>>>>>>+<<<<<<<]>>>>>>>+<<<<<<<  the new one becomes the last   plus 1
      ]
      >[->+<]<              minus sign
    ]
  ]<]
  >>>[[-]                   negative: subtract the digits
    >>>>>[>>>>>>]<<<<<<[[-<<-<<->>>>]<<<<<<]>
  ]
  >>>>>[>>>>>>]<<<<<<[[-<<+<<+>>>>]<<<<<<]  else add them

  +++++[                    for each of five digits
    ->>>>[<[-]>[-<+>]]      a difference replaces the one found before
    <[->>>>>>+<<<<<<]<<<[->>>>>>+<<<<<<]>>>>>>  carry it along
  ]
  >+>>>++++++++++++++++++++++<[->-[>]<<]  compare with 22: stop one cell farther left if negative
  <[->]>[-]>[-]<<<          flag: not negative
  [-<<<<+>>>>]              flag in the second cell of the last digit: replace
  <+++++[                   for each digit from the left
    -<<<[>>>>[-]<<<<<[->>>>>+<<<<<]>[-<<<<<<+>>>>>>]]  if replaced the digit becomes the best
    <[-]>>>>>[-<<+<->>>]<<[->>+<<]  the next difference starts with minus the best digit
    >[-<<<<<<+>>>>>>]<<<<<<
  ]
  <<<[-]<
]

>>>>>>+>>                   minus the ones digit of the best number
>+++++++++++<[->-[>]<<]<[->]<  flag: that is positive
[                           a negative number
  ++++[->+++++++++<]>.[-]   sign
  >>>>[[-<->]<[->+<]>>>>>>>]<<<<<<[<<<<<<]>  negate the digits
]
>>>>>[>>>>>>]<<<<<<[<++++++++[->++++++<]>-.<<<<<<]  print as many digits as there are
