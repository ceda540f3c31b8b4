push 72, the code of H:   	  	   
print it as a character:	
  push 101, the code of e:   		  	 	
print it:	
  a number is a space for plus, its bits (tab is 1) and a line feed; three of these end it:


