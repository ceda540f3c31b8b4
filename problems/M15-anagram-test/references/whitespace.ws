 The heap counts at the code of each letter: up for the first line, down for the second. All counts must end at 0.   	
 what a letter adds
   
   
 
 	
	 			 
 
			
 
    	 	 
	  	
	   
 
  add to its count			 	  	 
	   		 
 
 

    
 the second line  		

 
 

  	
   		    	

   	
 
 			
	 	 
   		 			 
	
     		 				
	
  



  	 
 up to z   	
	    
    				 		
	  	
		 	
   				  	
	
     		  	 	
	
     			  		
	
  


