Go down from one vowel to the next in ten nested loops; a vowel becomes 0 in one of them so only
other characters reach the innermost one which restores and prints them

,[
  >+++++[<------------->-]<       minus 65: A
  [----[----[------[------[       E I O U
  ------------[----[----[------[------[  a e i o u
    >+++++++++[<+++++++++++++>-]<.[-]    plus 117
  ]]]]]]]]]]
,]
