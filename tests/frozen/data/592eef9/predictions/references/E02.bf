E02 Echo Line

At the end of the input a read stores 0: that ends the loop

,                                           read the first character
[                                           while there is one
  .                                         print it
  ,                                         read the next
]
