This program greets you by the first letter of what you type

++++++++ [                 round eight times
  > +++++++++              cell 1: eight times 9 is 72 the letter H
  > +++++++++++++          cell 2: eight times 13 is 104 so one more is the letter i
  > ++++                   cell 3: eight times 4 is 32 a space
  <<< -
]
> .                        H
> + .                      i
> .                        a space
, [ . , ]                  then every byte of the input until it ends
