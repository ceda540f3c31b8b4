Halve the digits from left to right; a half is worth ten in the next digit and after the last one it
is the next binary digit which goes to the left of those before it

Binary digits end at cell 26   From cell 32 on six cells for each decimal digit: digit   divisor 2
remainder   quotient   flag   sum of the digits up to here

>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>,[                  the digits
  >>++++++[-<<-------->>]<++>>>>>
,]
<+[                         until the sum of all is 0
  [-]<<<<[<<<<<<]>>>>>>     the first digit
  [
    <[->-[>+>>]>[+[-<+>]>+>>]<<<<<]  halve it
    >>[-<+>>>>>++++++++++<<<<]  a half is 10 for the next
    >[-<<<+>>>>>+<<]        the quotient is the digit
    <<<<[->>>>>>+<<<<<<]>>>>>>>>  the sum goes along
  ]
  <[[-]<<<<<[<<<<<<]>>>+>>>[>>>>>>]<]  a half is left: flag before the first digit
  <<<<<[<<<<<<]<[<]<++++++[->++++++++<]>[>]  0 at the left end
  >>>[-<<<<[<]>+[>]>>>]     which the flag makes 1
  >>>[>>>>>>]<<
]
<<<<[<<<<<<]<[<]>[.>]       print from the left end
