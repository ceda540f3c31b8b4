[ E06 Even Or Odd

  Only the last digit counts. The
  loop below reads everything: each
  character goes into cell 1 and
  replaces the one before it in cell
  0, where the last one stays.

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
  <[-]>[<+>-]
            it replaces the one in
            cell 0
  ,         read the next
]<          cell 0: the last digit
            is its code even? print
            the word
