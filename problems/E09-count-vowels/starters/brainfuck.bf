[ E09 Count Vowels

  Codes: A 65, E 69, I 73, O 79, U
  85, and the small letters 32
  above. Take away 65; if nothing is
  left, it was an A. Take away 4
  more: an E, and so on. Count in
  decimal.

  This box is a loop at the very
  start. Cell 0 is 0, so it is
  skipped, whatever it says; only
  its brackets must match. Outside
  of it, comments must not contain
  any of the eight commands.
]

,           read the first character
[           while there is one
  [-]       is it a vowel? then
            count it here
  ,         read the next
]
            print the count
