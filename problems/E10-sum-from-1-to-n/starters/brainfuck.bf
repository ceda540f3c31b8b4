[ E10 Sum From 1 To N

  The sum goes up to 500500, so keep
  decimal digits, one to a cell, and
  carry. Add 1, 2, 3 and so on to N,
  or use N * (N + 1) / 2.

  This box is a loop at the very
  start. Cell 0 is 0, so it is
  skipped, whatever it says; only
  its brackets must match. Outside
  of it, comments must not contain
  any of the eight commands.
]

,           the first digit of N
            read N; add up; print
