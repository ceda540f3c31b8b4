push 72, the code of H:   	  	   
print it as a character:	
  push 101, the code of e:   		  	 	
print it:	
  (bits: space is 0, tab is 1) end:


