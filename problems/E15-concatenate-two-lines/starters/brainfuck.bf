[ E15 Concatenate Two Lines

  The loop below copies its input.
  Only the newline, code 10, must
  become a space, code 32.

  This box is a loop at the very
  start. Cell 0 is 0, so it is
  skipped, whatever it says; only
  its brackets must match. Outside
  of it, comments must not contain
  any of the eight commands.
]

,           read the first character
[           while there is one
  .         print it; but not if it
            is a newline
  ,         read the next
]
