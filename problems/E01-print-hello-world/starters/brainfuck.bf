[ E01 Print Hello World

  A cell printed with . shows the
  character of its code; H is 72.
  Below, 8 rounds of adding 9 make
  72 in cell 1. The other eleven
  characters are missing.

  This box is a loop at the very
  start. Cell 0 is 0, so it is
  skipped, whatever it says; only
  its brackets must match. Outside
  of it, comments must not contain
  any of the eight commands.
]

++++++++    eight rounds
[>+++++++++<-]
            of adding nine to the
            cell on the right
>.          H
            go on from here
