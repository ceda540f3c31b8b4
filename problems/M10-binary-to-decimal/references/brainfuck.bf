For each binary digit double all decimal digits and add it to the ones and carry (all in one pass);
a carry out of the first digit puts one more digit to use

cell 2: character   From cell 6 on six cells for each digit   ones first: number to divide   divisor ten
or not 0 while the digit is in use   remainder which is the digit   carry   two empty cells

>>>>>>>+<<<<<,[             one digit in use
  >++++++[-<-------->]<     minus 48
  [->>>>+<<<<]              added to the ones
  >>>>>[                    each digit
    >[-<<++>>]              twice
    <[-]++++++++++<[->-[>+>>]>[+[-<+>]>+>>]<<<<<]  divide by ten
    >>>[->>>+>[-]+<<<<]>>>> carry   and the next digit is in use
  ]
  <<<<<<[<<<<<<]>
,]
>>>>>[>>>>>>]<<<<<<[>>++++++[-<++++++++>]<.<<<<<<<]  print from the first digit
