 A stack reverses: push all characters above a -1, then print from the top down to it.  		
  read
   
   
 
 	
	 			 
 
			

 
 
  the -1 of the end
  	
 

  print
    
 
 
		 	
	
  
 
  

   	



