E17 Uppercase String

The small letters are the codes 97 to 122: from a copy of the code 96 is taken away and
then 1 at a time and if nothing remains at one of the 26 moments it was one of them
cell 0: character   cell 1: what to print   cell 2: the copy   cell 3: 1 if small letter
cell 4: helper

,                                           read
[                                           while there is a character
  [>+>+<<-]                                 two copies
  >>>+                                      say small letter
  >++++++++[<<------------>>-]<<            take away 96 from the copy
  -[-[-[-[-[-[-[-[-[-[-[-[-[                a to m
  -[-[-[-[-[-[-[-[-[-[-[-[-[                n to z
    [-]>-<                                  something remains: no small letter
  ]]]]]]]]]]]]]]]]]]]]]]]]]]>
  [                                         small letter: take away 32
    -<<----------------
    ---------------->>
  ]
  <<.[-]                                    print
  <,                                        read the next
]
