 N! is N times (N - 1)!: a routine that calls itself. The factors wait on the stack.   
 
 	
					
 	 
	
 	



   
 
 
	 	
  N - 1 
    	
	  	
 	 
	  

	
  0! is 1
  	
   	
	   
	
