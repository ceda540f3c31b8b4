One loop makes near neighbours of all characters at once:
72 for H   104 for the small letters   32 for the signs   88 for W

++++++++[>+++++++++>+++++++++++++>++++>+++++++++++<<<<-]
>.                          H
>---.+++++++..+++.          ello
>.                          space
>-.                         W
<<.+++.------.--------.     orld from the cell that holds o
>+.                         exclamation mark
