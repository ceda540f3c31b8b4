Go down from one vowel to the next in ten nested loops: only other characters reach the innermost
one which clears the flag; count in decimal where each digit counts down from ten so that a carry
shows as 0

cell 1: character   cell 2: flag   cell 3: ones   cell 6: tens   and so on   a digit not used yet is 0

>>>++++++++++<<             ones: ten to go
,[
  >+++++++++++++[<----->-]+ minus 65 and the flag says vowel
  <[----[----[------[------[------------[----[----[------[------[[-]>-<]]]]]]]]]]
  >[-<                      a vowel
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
