Each binary digit doubles the number and adds itself: double all decimal digits and carry
cell 2: character   cell 5: digits left in a pass   From cell 6 on six cells for each decimal digit
ones first: number to divide   divisor ten   remainder which is the digit   carry   two empty cells

>>,[
  >++++++[-<-------->]<     minus 48
  [->>>>+<<<<]              added to the ones
  >>>++++++++[              eight digits:
    ->>>[-<<++>>]           twice the digit
    <[-]++++++++++<[->-[>+>>]>[+[-<+>]>+>>]<<<<<]  divide by ten
    >>>[->>>+<<<]           carry
    <<<<[->>>>>>+<<<<<<]>>>>>>
  ]
  <<<<[<<<<<<]>
,]
>>>>>[>>>>>>]<<<<<<         the first digit
[
  >[->+>+<<]>               a digit counts if it or one before it is not 0
  [[-<<<<<<+>>>>>>]>>++++++[-<++++++++>]<.<]
  <<<<<<<<
]
>>>+<[[-]>-<]>[-<++++++++[->++++++<]>.[-]]  all are 0: print one of them
