[ E05 Multiply Two Integers

  Numbers are larger than a cell, so
  keep decimal digits, one to a
  cell, and count on a carry.
  , reads one character: the digits
  are 48 to 57, the minus is 45, a
  space is 32, the end 0. Keep the
  signs apart; then multiplying is
  adding a as often as each digit of
  b says.

  This box is a loop at the very
  start. Cell 0 is 0, so it is
  skipped, whatever it says; only
  its brackets must match. Outside
  of it, comments must not contain
  any of the eight commands.
]

,           the first character: a
            digit or a minus
            read a and b; multiply;
            print
