Start with 1 and 0 and take N steps from two numbers to the second and their sum: add digit by digit
and carry in the same pass
cell 2: N   cell 3: character   cell 5: digits left in a pass   From cell 7 on seven cells for each
decimal digit   ones first: sum   divisor ten   remainder which is the digit of the second number
carry   two empty cells   digit of the first number

>>>,[
  <[->>++++++++++<<]>>[-<<+>>]  N times ten
  ++++++[-<-------->]<[-<+>]    plus the digit
,]
>>>>>>>>>>+<<<<<<<<<<<      the first number is 1
[
  ->>>++++++++[             eight digits:
    ->>>>>>>>[-<<<<<<+>>>>>>]   add the digit of the first number
    <<<<[-<<+>>>>>>+<<<<]   add the one of the second and make it the first
    <[-]++++++++++<[->-[>+>>]>[+[-<+>]>+>>]<<<<<]  divide by ten
    >>>[->>>>+<<<<]         carry
    <<<<<[->>>>>>>+<<<<<<<]>>>>>>>
  ]
  <<<<[<<<<<<<]>
]
>>>>>>[>>>>>>>]<<<<<<<      the first digit
[
  >[->+>+<<]>               a digit counts if it or one before it is not 0
  [[-<<<<<<<+>>>>>>>]>>++++++[-<++++++++>]<.<]
  <<<<<<<<<
]
