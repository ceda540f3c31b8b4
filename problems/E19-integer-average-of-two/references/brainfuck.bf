Add five times each number: dropping the last digit then halves the sum and truncates it; carry as
in a sum of signed digits; there is no sign if only the last digit is not 0

cell 0: numbers to read   cell 2: go on   cell 3: character   cell 4: helper   cell 5: minus sign
From cell 6 on six cells for each digit   ones first: sum   digit plus 1 while it is read or the
divisor ten   remainder   carry   two empty cells
Bias: 100 for the ones and 90 for the others since the digit before carries 10 too much; so the last
carry is 10 or 9 if the result is negative; minus 1 is known by its digits: less 1 they add up to 4

++[-                        two numbers
  >>+[->,[                  another character: 0 at the end of the input
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
    >>[>>>>>>]<<<<<<[-[-<----->]<<<<<<]>>>>
  ]
  >>[>>>>>>]<<<<<<[-[-<+++++>]<<<<<<]  else add them
  <
]

+[
  >>>>>>++++++++++<++++++   six digits
  [->>+++++++++[-<++++++++++>]  plus 90
    ++++++++++<[->-[>+>>]>[+[-<+>]>+>>]<<<<<]  divide by ten
    >>>[->>>+<<<]           the carry goes to the next digit
    <<<<[->>>>>>+<<<<<<]>>>>>>  and the number of digits left too
  ]
  >>++++++++++<[->-<]>      10 minus the last carry
  [                         negative
    -<+<<<<<                1 for the next carry
    [>>>>[-<<<<<<+>>>>>>]<<<<-[-<<+>>]  add up ten minus the digit minus 1
      >[-<<->>]<<<<<<<      negate the remainder and start from it
    ]
    >>>>----[[-]<+++++[-<+++++++++>]<.[-]>>]<<<<  sign
  ]<
]

<<<<<<<<<<<                 the digit before the first one
<<<<<<[                     and the next: all but the last two digits
  >>>>>>>>>>>>>[->+>+<<]>   a digit counts if it or one before it is not 0
  [[-<<<<<<+>>>>>>]>>++++++[-<++++++++>]<.<]
  <<<<<<<<<<<<<<<<<<<<
]
>>>>>>>>>>>>>>>++++++[-<<++++++++>>]<<.  the tens always
