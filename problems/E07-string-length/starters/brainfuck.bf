[ E07 String Length

  A cell wraps from 255 to 0, and
  there may be 300 characters: count
  in decimal, with a cell each for
  ones, tens and hundreds, and carry
  when one of them reaches 10.

  This box is a loop at the very
  start. Cell 0 is 0, so it is
  skipped, whatever it says; only
  its brackets must match. Outside
  of it, comments must not contain
  any of the eight commands.
]

,           read the first character
[           while there is one
  [-]       forget it
            count it here
  ,         read the next
]
            print the count
