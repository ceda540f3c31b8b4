[ E11 Sum Of Digits

  A digit's code is 48 more than its
  value; the minus sign has 45 and
  adds nothing. The sum is at most
  162, but printing it takes up to
  three digits.

  This box is a loop at the very
  start. Cell 0 is 0, so it is
  skipped, whatever it says; only
  its brackets must match. Outside
  of it, comments must not contain
  any of the eight commands.
]

,           read the first character
[           while there is one
  [-]       add the digit to a sum
            here
  ,         read the next
]
            print the sum
