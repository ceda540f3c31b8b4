 The number is alone on its line, so readn takes it, and its remainder by 2 decides.   
 
 	
					   	 
	 		
	  
  odd   		 				
	
     		  	  
 
 	
  	
  


  even; its first e leaves a copy for the second
   
   		  	 	
 
 	
     			 		 
	
  	
     		 			 
	
  


