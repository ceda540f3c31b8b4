Start with 1 and multiply by N and by each smaller number: for each digit from the ones on add up the
product and the carry and divide by ten
cell 2: N   cell 3: character   cell 4: factor   cell 5: digits left in a pass   From cell 6 on six cells
for each digit   ones first: number to divide   divisor ten   remainder which is the digit   carry
two empty cells

>>>,[
  <[->>++++++++++<<]>>[-<<+>>]  N times ten
  ++++++[-<-------->]<[-<+>]    plus the digit
,]
>>>>+>+<<<<<<               a digit of 1
[
  [->+>+<<]>[-<+>]<-        the factor
  >>>+++++++[               seven digits:
    ->>>[-<<<<[->>+<<<+>]<[->+<]>>>>>]  the digit times the factor
    <[-]++++++++++<[->-[>+>>]>[+[-<+>]>+>>]<<<<<]  divide by ten
    >>>[->>>+<<<]           carry
    <<<<<[->>>>>>+<<<<<<]>[->>>>>>+<<<<<<]>>>>>>
  ]
  <[-]<<<[<<<<<<]>
]
>>>>>[>>>>>>]<<<<<<         the first digit
[
  >[->+>+<<]>               a digit counts if it or one before it is not 0
  [[-<<<<<<+>>>>>>]>>++++++[-<++++++++>]<.<]
  <<<<<<<<
]
