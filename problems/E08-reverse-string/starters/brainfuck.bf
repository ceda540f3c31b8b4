[ E08 Reverse String

  The tape can hold the whole line:
  put each character into a cell of
  its own. Cell 0 stays empty, so
  that the way back has an end.
  After the loop you stand after the
  last character.

  This box is a loop at the very
  start. Cell 0 is 0, so it is
  skipped, whatever it says; only
  its brackets must match. Outside
  of it, comments must not contain
  any of the eight commands.
]

>,          read into cell 1
[           while there is a
            character
  >,        read the next into the
            next cell
]
            now walk back and print
