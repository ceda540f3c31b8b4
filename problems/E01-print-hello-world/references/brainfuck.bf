One loop makes a near neighbour of every character: 72 (H) and 104 (small letters) and 32 (signs)
and 88 (W)

++++++++[>+++++++++>+++++++++++++>++++>+++++++++++<<<<-]
>.                          H
>---.+++++++..+++.          ello
>.                          space
>-.                         W
<<.+++.------.--------.     orld from the cell that holds o
>+.                         exclamation mark
