Subtract the last character from the first across the rest of the line whose ends are marked by
empty cells; any difference sets a flag

cell 1: flag of a difference   cell 2: the first of a pair   cell 3: the line   all move on to the right

>>>,[>,]<[<]>>              second character
[                           while at least two are left
  <[-<+>]                   the first one to the left
  >[>]<[->+<]>              the last one to the right
  [-<<[<]<->>[>]>]          subtract it across the rest
  <<[<]<[[-]<[-]+>]         a difference sets the flag
  <[->+<]>>>>               the flag moves on
]
<<<>+<                      the flag and an else after it
[->->>>++++++++++[-<+++++++++++>]<.+.<<<]  no
>[->>>+++++++++++[-<+++++++++++>]<.--------------------.++++++++++++++.<<]  yes
