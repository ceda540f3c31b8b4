Take 32 from the character: a flag of 9 survives only if nothing is left and adds 9 times 7 to make
an underscore of a space

,[
  >++++[-<-------->]        minus 32
  +++++++++<[>[-]]>[>]<     9 if nothing is left and 0 otherwise
  [-<+++++++>]              add 63
  ++++[-<++++++++>]<.       plus 32 and print
,]
