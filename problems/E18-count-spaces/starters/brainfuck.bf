[ E18 Count Spaces

  A space has the code 32: take 32
  away, and look whether anything is
  left. There may be more than 255
  spaces: count in decimal, with a
  cell for each digit.

  This box is a loop at the very
  start. Cell 0 is 0, so it is
  skipped, whatever it says; only
  its brackets must match. Outside
  of it, comments must not contain
  any of the eight commands.
]

,           read the first character
[           while there is one
  [-]       is it a space? then
            count it here
  ,         read the next
]
            print the count
