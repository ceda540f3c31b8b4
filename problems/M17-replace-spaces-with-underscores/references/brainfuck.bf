Take 32 away and let a flag of 9 survive only if nothing is left: 9 times 7 more (and then 32 for
all) make an underscore of a space

,[
  >++++[-<-------->]        minus 32
  +++++++++<[>[-]]>[>]<     9 if nothing is left and 0 otherwise
  [-<+++++++>]              add 63
  ++++[-<++++++++>]<.       plus 32 and print
,]
