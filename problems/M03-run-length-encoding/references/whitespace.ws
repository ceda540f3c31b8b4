 The stack holds the character of the run and its length. A character that differs, also the -1 of the end, closes the run.   
 
 	
	 			  a run begins
   
 
 
			
   	

    
   
 
 	
	 			  the same character? 	  	 
 	  	
	  	
	  	
  print the run; the new character stays 	  	 
	
   
		
 	 	
 	

 
 
  the run grows
   	
 

   	
	   
 
  

  	



