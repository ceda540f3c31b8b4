E03 Hello Name

cell 1: capital H   cell 2: small letters   cell 3: comma and space and exclamation mark
cell 4: the name passes through here

++++++++++                                  ten rounds
[>+++++++>++++++++++>++++<<<-]              cells 1 to 3 become 70 and 100 and 40
>++.                                        H is 72
>+.                                         e is 101
+++++++..                                   l is 108: twice
+++.                                        o is 111
>++++.                                      comma is 44
------------.                               space is 32
+                                           33 waits for the end
>,[.,]                                      print the name
<.                                          exclamation mark
