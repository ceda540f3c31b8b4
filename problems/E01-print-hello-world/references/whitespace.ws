 Push a code, print it. l and o occur often: they wait on the stack and are copied.   		 				
   		 		  
   	  	   
	
     		  	 	
	
    ll, above o and l 
 	
   
 	
    o 	  	
	
     	     
	
     	 	 			
	
    the o itself 
		
     			  	 
	
    the l itself	
     		  	  
	
     	    	
	
  


