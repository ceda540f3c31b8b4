Count in decimal with three cells for each digit; a digit counts down from ten so that a carry shows
as 0 and needs no comparison

cell 1: character   cell 3: ones   cell 6: tens   and so on with two helpers each
A digit not used yet is 0

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
