[ E03 Hello Name

  Codes: H 72, e 101, l 108, o 111,
  comma 44, space 32, exclamation
  mark 33. The loop below makes 70,
  100 and 40 in the cells 1 to 3,
  close to all you need.

  This box is a loop at the very
  start. Cell 0 is 0, so it is
  skipped, whatever it says; only
  its brackets must match. Outside
  of it, comments must not contain
  any of the eight commands.
]

++++++++++  ten rounds
[>+++++++>++++++++++>++++<<<-]
            70 and 100 and 40
>++.        H
            go on from here
