Multiply N by N plus 1 (whose last digit may be 10) and halve the product from the left while it is
printed

cells 0 to 3: the digits of N   cell 4: character   cell 6: digits left   cell 7: the empty cell before the
numbers   cell 10: digit of N plus 1   cell 11: digits left in a pass   From cell 13 on seven cells for
each digit   ones first: number to divide   divisor   remainder which is the digit of the product
carry   two empty cells   digit of N

>>>>,[
  <<<[-<+>]>[-<+>]>[-<+>]>  the digits of N move up
  >++++++[-<-------->]<     minus 48
  >>>>>>>>>>>>>>>[>>>>>>>]<<<<<<<[[->>>>>>>+<<<<<<<]<<<<<<<]  and those of the other copy
  <<<<<<<<[-<+>>>>>>>>>>>>>>>>+<<<<<<<<<<<<<<<]>>>>>>>>>>>>>>>+<<<<<<<<<<<<<<<  the new one becomes the last   there plus 1
,]
>>>>>>>>>>>>>>>[>>>>>>>]<<<<<<<[-<<<<<<<]  take the 1 from each digit
<<<<<<<<<+                  1 more than the last digit
>>>++++[                    four digits:
  -<<<<<<[->>>>>>>>>>+<<<<<<<<<<]>[-<+>]>[-<+>]>[-<+>]  the first one and the others move up
  >>>>>>>>+++++++[            seven digits:
      ->>>>[->>>>>+<<<<<]<[-] the digit moves up: times ten
      <<<<[-<+>>>>>>>>>>[-<+<<<<<+>>>>>>]<[->+<]<<<<<<<<]  plus the product of two digits
      >>>>++++++++++<[->-[>+>>]>[+[-<+>]>+>>]<<<<<]  divide by ten
      >>>[->>>>+<<<<]       carry
      <<<<<<<[->>>>>>>>+<<<<<<<<]>>[->>>>>>>+<<<<<<<]>>>>>>>
  ]
  <[-]<<<[<<<<<<<]<
]
>>>>>>>>[>>>>>[-]>>]<<<<<<<    clear the digits of N: the first digit of the product
[
  [-]++>[-<<+>>]<<[->-[>+>>]>[+[-<+>]>+>>]<<<<<]  halve it
  >>[-<<<<<<<<<++++++++++>>>>>>>>>]  a half is 10 more for the next digit
  >[->+>>+<<<]>>>           a digit counts if it or one before it is not 0
  [[-<<<<<<<+>>>>>>>]<++++++[-<++++++++>]<.>>]
  <<<<<<<<<<<<
]
>>>>>>+<[[-]>-<]>[-<++++++++[->++++++<]>.[-]]  all are 0: print one of them
