[ E02 Echo Line

  , reads one character into the
  cell, and 0 at the end of the
  input.
  . prints the cell.
  A loop [ ... ] goes round while
  the cell is not 0: where would it
  begin, where would it end?

  This box is a loop at the very
  start. Cell 0 is 0, so it is
  skipped, whatever it says; only
  its brackets must match. Outside
  of it, comments must not contain
  any of the eight commands.
]

,           read the first character
            print it and read on:
            until the end
