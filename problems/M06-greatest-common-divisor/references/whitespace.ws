 Euclid on the stack: a b becomes b and a mod b until b is 0. Signs are skipped when reading.
 	 

 	 

   	
 
 
	 	 
 
	 	  	
	 		
 
 	

  	 
 

	
 	


  S: leave the size of the next integer on the stack; a minus is skipped
   
   
 the number so far
  	
 one more character   
 
 	
	 			   		    
	  	 
 
		  
 
	 a digit: ten times the number, plus it   	 	 
	  
	   
 
	

    
 not a digit; the code of a minus is 3 less than that of 0   		
	   
	 	

	
