[ E14 Repeat String N Times

  The loop below reads the first
  line into cell 0 as a number: ten
  times what was there plus the next
  digit, until the newline, which
  has the code 10. Now comes S.

  This box is a loop at the very
  start. Cell 0 is 0, so it is
  skipped, whatever it says; only
  its brackets must match. Outside
  of it, comments must not contain
  any of the eight commands.
]

>,----------  read and take away 10
[             until the newline
  -------------------
  -------------------
              take 38 more: a digit
  <[>>+<<-]>>[<<++++++++++>>-]
              ten times cell 0
  <[<+>-]     and the digit
  ,---------- read the next
]
              store the line; print
              it as often as cell 0
              says
