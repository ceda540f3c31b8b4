Greets whoever the input names

++++++++          eight rounds
[
  >+++++++++      9 a round: 72
  >+++++++++++++  13: 104
  >++++           4: 32
  <<<-
]
>.                72 is H
>+.               105 is i
>.                32 is a space
,[.,]             echo the input
