 The call stack counts: the routine calls itself N times. On the way down 0 remains, with 1 the first pair;  each return makes b and a + b of a pair a b.   
 
 	
					
 	 
  F(N + 1) 

	
 	



   
 
 
	 	
   	
	  	
 	 
 
	 	  	
	   
	
  the pair 0 1
  	
   	

	
