 Add up the characters less 48. What is negative then is a minus, which is skipped, or the end.  the sum   

   
   
 
 	
	 			   		    
	  	 
 
			
	   
 
 
  -3 is a minus
  	
   		
	   
	  
	
 	


