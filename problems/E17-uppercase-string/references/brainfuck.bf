Count the code minus 97 and 26 down together; the loop stops on one of two neighbouring cells which
tells whether it was a small letter

cell 0: character   cell 1: to print   cell 2: flag of 4   cell 3: empty   cell 4: code minus 97
cell 5: 26   each character gets fresh cells farther right

,[
  [->+>>>+<<<<]             two copies
  >>++++                    flag: 4 times 8 is the distance of the capitals
  >>>++++++++++++[<-------->-]<-  minus 97
  >++++++++++++++++++++++++++<    26
  [->-[>]<<]                stops on cell 4 for a small letter and else on cell 3
  <[[-]>]                   no small letter: clear the flag
  <[-<-------->]<.          print
  >>>>>>>                   fresh cells
,]
