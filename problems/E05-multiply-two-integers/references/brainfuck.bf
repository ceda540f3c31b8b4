Store A; for each digit of B multiply the product by ten and add A times the digit (in one pass that
carries at once)

cell 0: minus signs   cell 2: go on   cell 3: character   cell 4: digit of B   cell 5: digits left in a
pass   From cell 7 on seven cells for each digit   ones first: number to divide   divisor ten
remainder which is the digit of the product   carry   two empty cells   digit of A

>>+[->,[                    A
  >++++[-<-------->]<       minus 32: nothing is left of a space
  [
    <+>                     the number goes on
    ------------->+<[       minus 13: nothing is left of a minus sign
      >-<---                a digit
      >>>>>>>>>>[>>>>>>>]<<<<<<<[[->>>>>>>+<<<<<<<]<<<<<<<]  earlier digits move up
      <<<[->>>>>>>>>>+<<<<<<<<<<]>>>>>>>>>>+<<<<<<<<<<  the new one becomes the last   plus 1
    ]
    >[-<<<<+>>>>]<          minus sign
  ]
]<]
>>>>>>>>>>>[>>>>>>>]<<<<<<<[-<<<<<<<]<<<  take the 1 from each digit

,[                          B
  >+++++[-<--------->]+<    minus 45
  [
    >-<---[->+<]            a digit
    >>++++++[               six digits:
      ->>>>[->>>>>+<<<<<]<[-] the digit moves up: times ten
      <<<<[-<+>>>>>>>>>>[-<+<<<<<+>>>>>>]<[->+<]<<<<<<<<]  plus the product of two digits
      >>>>++++++++++<[->-[>+>>]>[+[-<+>]>+>>]<<<<<]  divide by ten
      >>>[->>>>+<<<<]       carry
      <<<<<<<[->>>>>>>>+<<<<<<<<]>>[->>>>>>>+<<<<<<<]>>>>>>>
    ]
    <[-]<<<[<<<<<<<]>>      home
  ]
  >[-<<<<+>>>>]<            minus sign
,]
<<<[->>+<<[->>-<<]]>>       one minus sign and not two
[->>>>>>[>>>>>>>]<<<+<<<<[<<<<<<<]>]  the sign waits at the first digit

>>>>>>[>>>>>>>]<<<<<<<
[
  >[->+>+<<]>               a digit counts if it or one before it is not 0
  [
    [-<<<<<<<+>>>>>>>]
    >>[-<<+++++[->>+++++++++<<]>>.[-]]  sign
    ++++++[-<++++++++>]<.<
  ]
  >>[-<<<<<<<+>>>>>>>]      the sign waits at the next digit
  <<<<<<<<<<<
]
>>>+<[[-]>-<]>[-<++++++++[->++++++<]>.[-]]  all are 0: print one of them
