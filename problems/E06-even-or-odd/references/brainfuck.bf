Keep all characters on the tape: the last one alone decides since the codes of even digits are even
Take 2 away again and again: a remainder of 1 leaves the flag at 1

>,[>,]<                     the last digit
[->+<[->-]>[>]<<]           next cell: 1 if odd   the pointer leaves one round early or late and
                            meets again two cells right of the digit
>>+++++++++++[<<+++++++++>>-]<<+   100 in the cell of the digit
>>+<                        flag of the else
[->-<<+++++++++++.-----------..>]  odd
>[-<<+.+++++++++++++++++.-----------------.+++++++++.>>]  even
