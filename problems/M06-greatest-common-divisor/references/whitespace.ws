 Euclid on the stack: a b becomes b and a mod b until b is 0. Signs are skipped when reading.
 	 

 	 

   	
 
 
	 	 
 
	 	  	
	 		
 
 	

  	 
 

	
 	


  S: the size of the next integer; a minus is skipped
   
  n, the number so far   
  one more character
  	
   
 
 	
	 			   		    
	  	 
 
		  
  a digit: n times ten, plus it 
	   	 	 
	  
	   
 
	
  no digit: a minus is 3 less than 0
    
   		
	   
	 	

	
