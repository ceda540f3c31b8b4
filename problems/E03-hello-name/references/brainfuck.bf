The greeting comes from a table of three cells: 72 for H   104 for the letters   32 for the signs
The cell of the signs still holds the space when the name has been copied and one more is the mark

++++++++[>+++++++++>+++++++++++++>++++<<<-]
>.>---.+++++++..+++.        Hello
>++++++++++++.------------. comma and space
>,[.,]                      the name
<+.                         exclamation mark
