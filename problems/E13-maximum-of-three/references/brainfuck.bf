Store each number with the ones first as its digits plus 1 and all of them negative if it is:
then the first digit from the left that differs says which number is greater since no digit is empty
The best number so far is replaced whenever a greater one was read
cell 0: numbers to read   cell 2: go on   cell 3: character   cell 4: helper   cell 5: minus sign
From cell 6 on six cells for each digit   ones first: digit   last difference   difference   helper
digit while it is read   best digit

+++>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>+<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<  three numbers   a difference makes the first best
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

  +++++[                    five digits:
    ->>>>[<[-]>[-<+>]]      a difference replaces the one of the digits before
    <[->>>>>>+<<<<<<]<<<[->>>>>>+<<<<<<]>>>>>>  carry it along
  ]
  >+>>>++++++++++++++++++++++<[->-[>]<<]  compare with 22: stop one cell farther left if negative
  <[->]>[-]>[-]<<<          flag: not negative
  [-<<<<+>>>>]  replace the best number
  <+++++[                   back over the digits:
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
