 A routine reads an integer and the space after it; between them the operator goes to cell 1. Less 43 it is  negative for *, 0 for +, positive for -.
 	 
   	
	
	    
 the space after it	
	 
 	 
   	
			   	 	 		
	  	 
 
			 

	 		
	  		
 	



  	 
 

	  
	
 	



  		
	   	
 	


  S: leave the next integer on the stack; the character after it stays in cell 0
   
   
 the number so far
  	
 one more character   
 
 	
	 			   		    
	  	 
 
		  
 
	 a digit: ten times the number, plus it   	 	 
	  
	   
 
	

    
 not a digit; the code of a minus is 3 less than that of 0   		
	   
	  	

	

   	
 after a minus: 0 - the number that follows
 	 
	  	
	
