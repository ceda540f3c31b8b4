The count is decimal with as many digits as needed: each digit lies three cells right of the one
before and holds ten minus its value so that a carry shows as 0 and a digit not yet used as well
cell 1: character   cell 2: flag   cell 3: ones   cell 6: tens   and so on

>>>++++++++++<<             ones: ten to go
,[
  >++++[<-------->-]+       minus 32 and the flag says space
  <[[-]>-<]                 something is left: no space
  >[-<                      a space
  >>->+<[>-]>[>]<           one less to go in the ones: is 0 left?
  [-<++++++++++>>>          ten again and carry to the next digit
    >+<[>-]>[>]<            is that digit new
    [-<++++++++++>]<        then it starts at ten
    ->+<[>-]>[>]<           one less there: is 0 left?
  ]<[<<<]>                  home
  >]<
,]
>>[>>>]<<<                  the first digit
[>>++++++[<++++++++++>-]<-- 58
 <[->-<]>.<<<<]             minus what is left to go is the character: print it
