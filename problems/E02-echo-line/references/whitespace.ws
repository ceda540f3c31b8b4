 Read a character and print it until the end of the input, which reads as -1.
   
   
 
 	
	 			 
 
			
	
  
 
 

  	



