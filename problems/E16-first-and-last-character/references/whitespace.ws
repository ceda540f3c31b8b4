 Print the first character and a space; then hold only the latest character until the input ends.   
 
 	
	 			 
 	
     	     
	
  
   
   
 
 	
	 			 
 
			
  the latest takes the place of the one before 	
 	

 
 
  drop the -1
  	
 

	
  


