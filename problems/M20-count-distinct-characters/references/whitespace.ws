 The heap remembers: the cell at the code of a character holds 1 once it was seen. Count where it does not.  the count   

   
   
 
 	
	 			 
 
			
 
 			
	   
 


 
 

    
  mark it   	
		    	
	   
 
 

  	
 

	
 	


