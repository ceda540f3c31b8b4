E08 Reverse String

Cell 0 stays 0: it stops the way back

>,                                          read the first character
[                                           while there is one
  >,                                        read the next into the next cell
]
<                                           back to the last character
[                                           until the empty cell in front
  .<                                        print and go left
]
