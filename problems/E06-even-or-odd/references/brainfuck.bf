The code of the last digit is even if the number is; take 2 away again and again and a flag is left
if 1 remains

>,[>,]<                     the last digit
[->+<[->-]>[>]<<]           next cell: 1 if odd   the pointer leaves one round early or late and
                            meets again two cells right of the digit
>>+++++++++++[<<+++++++++>>-]<<+   100 in the cell of the digit
>>+<                        flag of the else
[->-<<+++++++++++.-----------..>]  odd
>[-<<+.+++++++++++++++++.-----------------.+++++++++.>>]  even
