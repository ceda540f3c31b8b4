[ E17 Uppercase String

  The loop below copies its input.
  The small letters are the codes 97
  to 122, and each capital is 32
  less; what lies outside must stay
  as it is.

  This box is a loop at the very
  start. Cell 0 is 0, so it is
  skipped, whatever it says; only
  its brackets must match. Outside
  of it, comments must not contain
  any of the eight commands.
]

,           read the first character
[           while there is one
  .         print it; a small letter
            as a capital
  ,         read the next
]
