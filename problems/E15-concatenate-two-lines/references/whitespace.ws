 Echo both lines, and print a space where the newline is.
   
   
 
 	
	 			 
 
			
 
    	 	 
	  	
	   
	
  
 
 

    
 10 + 22 is a space   	 		 
	   	
  
 
 

  	



