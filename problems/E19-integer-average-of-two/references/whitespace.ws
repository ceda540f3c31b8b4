 A negative quotient is rounded differently in the two dialects, so a negative sum is made even first: mod 2 is 0 or 1 in both.
 	 

 	 
	    
 
			 

  		
   	 
	 	 	
 	



  	 
 negative: one up, towards 0, if it is odd 
    	 
	 			   
 
		
  S: leave the next integer on the stack; the character after it stays in cell 0
   
   
 the number so far
  	
 one more character   
 
 	
	 			   		    
	  	 
 
		  
 
	 a digit: ten times the number, plus it   	 	 
	  
	   
 
	

    
 not a digit; the code of a minus is 3 less than that of 0   		
	   
	  	

	

   	
 after a minus: 0 - the number that follows
 	 
	  	
	
