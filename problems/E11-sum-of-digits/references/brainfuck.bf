The sum is at most 162 so one cell holds it: print it by dividing by ten until nothing is left
cell 0: character   cell 3: the 0 to print if the sum is zero   cell 4: sum

++++++[->>>++++++++<<<]     the character 0
,[
  >+++++[<--------->-]<     minus 45: nothing is left of a minus sign
  [---[->>>>+<<<<]]         anything else is a digit: minus 3 and add it
,]
>>>>[<[-]>                  not zero
  [
    >++++++++++<[->-[>+>>]>[+[-<+>]>+>>]<<<<<]  divide by ten
    >[-]++++++[->++++++++<] the remainder becomes a character
    >>                      the quotient is the next number three cells on
  ]
]
<[.<<<]                     print the digits backwards
