 Print the greeting, echo the name until the end of the input, print the exclamation mark.   	  	   
	
     		  	 	
	
     		 		  
 
 	
  	
     		 				
	
     	 		  
	
     	     
	
    echo
   
   
 
 	
	 			 
 
			
	
  
 
 
  the end of the name
  	
   	    	
	
  


