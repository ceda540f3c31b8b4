[ E13 Maximum Of Three

  Numbers are larger than a cell, so
  keep decimal digits, one to a
  cell, and count on a carry.
  , reads one character: the digits
  are 48 to 57, the minus is 45, a
  space is 32, the end 0. Keep the
  largest so far, and let the next
  number replace it if the
  difference says so.

  This box is a loop at the very
  start. Cell 0 is 0, so it is
  skipped, whatever it says; only
  its brackets must match. Outside
  of it, comments must not contain
  any of the eight commands.
]

,           the first character: a
            digit or a minus
            read three; keep the
            largest; print it
