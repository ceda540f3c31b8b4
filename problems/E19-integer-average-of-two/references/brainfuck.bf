Add five times each number: then dropping the last digit halves the sum and truncates it
Add digit by digit with signs and carry afterwards: a bias of 100 makes each digit positive: 100 for
the ones and 90 for the others since each carries 10 too much
A carry of 9 instead of 10 at the end means a negative sum: negate all and carry again
There is no sign for a sum of minus 1: its digits minus 1 from the tens on add up to 4 and no other
cell 0: numbers to read   cell 2: go on   cell 3: character   cell 4: helper   cell 5: minus sign
From cell 6 on six cells for each digit   ones first: sum   digit plus 1 while it is read or the
divisor ten   remainder   carry   two empty cells

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
