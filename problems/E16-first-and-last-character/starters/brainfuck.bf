[ E16 First And Last Character

  The first character can be printed
  at once, as below; then a space,
  code 32. Of the others only the
  last one counts, and you know it
  when nothing comes after it.

  This box is a loop at the very
  start. Cell 0 is 0, so it is
  skipped, whatever it says; only
  its brackets must match. Outside
  of it, comments must not contain
  any of the eight commands.
]

,.          read and print the first
            character
            a space; and the last
            character
