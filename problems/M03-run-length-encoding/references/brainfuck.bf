Count in decimal while the difference from the next character is 0; adding the old character to the
difference gives the new one back

cell 0: character of the run   cell 1: next character   cell 2: flag   cell 3: empty   cell 4: helper
cell 6: ones   cell 9: tens   cell 12: hundreds

,[.
  >>>>>>++++++++++<<<<+     ones: ten to go and the flag says count
  [->>                      while equal:
    >>->+<[>-]>[>]<           one less to go in the ones: is 0 left?
  [-<++++++++++>>>          ten again and carry to the next digit
    >+<[>-]>[>]<            is that digit new
    [-<++++++++++>]<        then it starts at ten
    ->+<[>-]>[>]<           one less there: is 0 left?
  ]<[<<<]>                  home
    <<<,                    the next character
    <[->->+<<]>>[-<<+>>]<   minus the one of the run which comes back
    >+<[>-]>[>]<            flag: they are equal
  ]
  <<[->+<]>>>>              the difference becomes the next character again
  >>[>>>]<<<                the first digit
  [>>++++++[<++++++++++>-]<--<[->-<]>.[-]<<<<]  print and clear the digits
  <<[-<+>]<                 the next character starts a run
]
