E16 First And Last Character

cell 0: the character read last   cell 1: the new one   cell 3: a space

,.                                          print the first character
>>++++++++[>++++<-]>.<<                     print a space
,                                           read into cell 1
[                                           while there is a character
  <[-]>[<+>-]                               it replaces the one before
  ,                                         read the next
]
<.                                          print the last one
