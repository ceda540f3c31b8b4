push 72, the code of H:   	  	   
print it as a character:	
  push 101, the code of e:   		  	 	
print it:	
  (a number: a space, its bits with tabs for 1, a line feed) the end:


