 The formula: N times N + 1, halved.   
 
 	
					 
    	
	   	  
   	 
	 	 	
 	


