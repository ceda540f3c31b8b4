Each of N passes from the ones adds two rows of digits and carries while the second row becomes the
first; a carry out of the first digit puts one more digit to use

cell 2: N   cell 3: character   From cell 7 on seven cells for each digit   ones first: sum   divisor ten
or not 0 while the digit is in use   remainder which is the digit of the second number   carry
two empty cells   digit of the first number

>>>,[
  <[->>++++++++++<<]>>[-<<+>>]  N times ten
  ++++++[-<-------->]<[-<+>]    plus the digit
,]
>>>>>+>>>>>+<<<<<<<<<<<     one digit in use and the first number is 1
[
  ->>>>>>[                  each digit
    >>>>>[-<<<<<<+>>>>>>]   add the one of the first number
    <<<<[-<<+>>>>>>+<<<<]   add the one of the second and make it the first
    <[-]++++++++++<[->-[>+>>]>[+[-<+>]>+>>]<<<<<]  divide by ten
    >>>[->>>>+>[-]+<<<<<]>>>>>  carry   and the next digit is in use
  ]
  <<<<<<<[<<<<<<<]>
]
>>>>>>[>>>>>>>]<<<<<<<[>>++++++[-<++++++++>]<.<<<<<<<<]  print from the first digit
