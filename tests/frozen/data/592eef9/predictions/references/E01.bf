E01 Print Hello World

One loop brings three cells close to what is needed
the letters are then reached by small steps
cell 1: capitals   cell 2: small letters   cell 3: space and exclamation mark

++++++++++                                  ten rounds
[>+++++++>++++++++++>+++<<<-]               cells 1 to 3 become 70 and 100 and 30
>++.                                        H is 72
>+.                                         e is 101
+++++++..                                   l is 108: twice
+++.                                        o is 111
>++.                                        space is 32
<<+++++++++++++++.                          W is 87
>.                                          o is still there
+++.                                        r is 114
------.                                     l is 108
--------.                                   d is 100
>+.                                         exclamation mark is 33
