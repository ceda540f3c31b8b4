The sum is at most 162 so one cell holds it; print it by dividing by ten until nothing is left

cell 0: character   cell 3: sum

,[
  >+++++[<--------->-]<     minus 45: nothing is left of a minus sign
  [---[->>>+<<<]]           anything else is a digit: minus 3 and add it
,]
>>>>+[                      the cell after a number that is still to divide
  [-]++++++++++<[->-[>+>>]>[+[-<+>]>+>>]<<<<<]  divide by ten
  >[-]++++++[->++++++++<]   the remainder becomes a character
  >>[->+>+<<]>>[-<<+>>]<    if the quotient is not 0 go on with it three cells farther right
]
<<[.<<<]                    print the digits backwards
