 A negative quotient is rounded differently in the two dialects, so a negative sum is made even first: mod 2 is 0 or 1 in both.
 	 

 	 
	    
 
			 

  		
   	 
	 	 	
 	


  negative: one up, towards 0, if it is odd
  	 
 
    	 
	 			   
 
		
  S: the next integer; the character after it stays in cell 0
   
  n, the number so far   
  one more character
  	
   
 
 	
	 			   		    
	  	 
 
		  
  a digit: n times ten, plus it 
	   	 	 
	  
	   
 
	
  no digit: a minus is 3 less than 0
    
   		
	   
	  	

	
  a minus: 0 - what follows
   	

 	 
	  	
	
