 The line goes to the cells from 0 on. Two addresses, i below j on the stack, walk from both ends towards each other.   
  read
   
 
 	
	  
 			
			
   	
	   
 
 
  the length: one more than the last address
  	
   
 
	
    
  j - 1   	
	  	  i < j? 	  	
 	  	
	  	
		 	
   				  	
	
     		  	 	
	
     			  		
	
  



   	
  are the characters equal? 	  	
			 	  	
				  	
	 	 
   		 			 
	
     		 				
	
  



  	 
  i + 1 
	   	
	    
	
 
  
