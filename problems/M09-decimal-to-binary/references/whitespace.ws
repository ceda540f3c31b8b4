 A routine puts the last bit on the stack, calls itself for the rest if there is any, and then prints the bit.   
 
 	
					
 	 




   
  the bit, below the rest 
    	 
	 		 
	   	 
	 	  
 
	 	

 	 
	
 	
	
  nothing is left: this is the first bit
  	
 

	
 	
	
