Count the letters from 0 and add 3; the remainder of division by 26 is the new letter

cell 0: letter   cell 1: 26   cell 2: remainder   cell 3: quotient

,[
  >+++++++++[-<---------->]<----  minus 97 plus 3
  >++++++++++++++++++++++++++<    26
  [->-[>+>>]>[+[-<+>]>+>>]<<<<<]  divide
  >[-]++++++++++[->++++++++++<]>---.  plus 97
  >>>>
,]
