 A routine reads an integer character by character, as both stand on one line. Call it twice and add.
 	 

 	 
	   	
 	


  S: leave the next integer on the stack; the character after it stays in cell 0
   
   
 the number so far
  	
 one more character   
 
 	
	 			   		    
	  	 
 
		  
 
	 a digit: ten times the number, plus it   	 	 
	  
	   
 
	

    
 not a digit; the code of a minus is 3 less than that of 0   		
	   
	  	

	

   	
 after a minus: 0 - the number that follows
 	 
	  	
	
