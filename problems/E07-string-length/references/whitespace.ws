 The count lies on the stack: add 1 for each character until the end of the input, -1.   

   
   
 
 	
	 			
			
   	
	   
 
 

  	
	
 	


