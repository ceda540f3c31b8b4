Print each character as soon as it is read; the end of the input stores 0 and ends the loop

,[.,]
