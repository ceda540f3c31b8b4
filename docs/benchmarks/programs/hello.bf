Prints Hello world! and a line break

++++++++++                          ten rounds
[>+++++++>+++++++++++>+++>+<<<<-]   70 and 110 and 30 and 10
>++.                                H
>---------.                         e
+++++++..                           l twice
+++.                                o
>++.                                space
<++++++++.                          w
--------.                           o
+++.                                r
------.                             l
--------.                           d
>+.                                 exclamation mark
>.                                  line break
