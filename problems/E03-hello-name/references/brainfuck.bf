One loop makes 72 (H) and 104 (letters) and 32 (signs); the space is still there after the name and
one more makes it the exclamation mark

++++++++[>+++++++++>+++++++++++++>++++<<<-]
>.>---.+++++++..+++.        Hello
>++++++++++++.------------. comma and space
>,[.,]                      the name
<+.                         exclamation mark
