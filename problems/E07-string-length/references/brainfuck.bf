The count is decimal with as many digits as needed: each digit lies three cells right of the one
before and holds ten minus its value so that a carry shows as 0 and a digit not yet used as well
cell 1: character   cell 3: ones   cell 6: tens   and so on: the two cells after each are helpers

>>>++++++++++<<             ones: ten to go
,[[-]                       a character: only that there is one matters
  >>->+<[>-]>[>]<           one less to go in the ones: is 0 left?
  [-<++++++++++>>>          ten again and carry to the next digit
    >+<[>-]>[>]<            is that digit new
    [-<++++++++++>]<        then it starts at ten
    ->+<[>-]>[>]<           one less there: is 0 left?
  ]<[<<<]>                  home
,]
>>[>>>]<<<                  the first digit
[>>++++++[<++++++++++>-]<-- 58
 <[->-<]>.<<<<]             minus what is left to go is the character: print it
