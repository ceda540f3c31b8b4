Multiply a row of digits by N and by each smaller number and carry in the same pass; a carry out of
the first digit puts one more digit to use

cell 2: N   cell 3: character   cell 4: factor   From cell 6 on six cells for each digit   ones first:
number to divide   divisor ten or not 0 while the digit is in use   remainder which is the digit
carry   two empty cells

>>>,[
  <[->>++++++++++<<]>>[-<<+>>]  N times ten
  ++++++[-<-------->]<[-<+>]    plus the digit
,]
>>>>+>+<<<<<<               one digit in use which is 1
[
  [->+>+<<]>[-<+>]<-        the factor
  >>>>>[                    each digit
    >[-<<<<[->>+<<<+>]<[->+<]>>>>>]  times the factor
    <[-]++++++++++<[->-[>+>>]>[+[-<+>]>+>>]<<<<<]  divide by ten
    >>>[->>>+>[-]+<<<<]     carry   and the next digit is in use
    <<<<<[->>>>>>+<<<<<<]>>>>>>>>>  the factor goes along
  ]
  <<<[-]<<<[<<<<<<]>
]
>>>>>[>>>>>>]<<<<<<[>>++++++[-<++++++++>]<.<<<<<<<]  print from the first digit
