 N to cell 0, the line to the cells from 1 on; the -1 of its end stays there as a mark. Then print it N times.   
	
		  the address   	

   
 
 	
	  
 			 
 
			
  readn may have left the newline: read over it   	 	 
	  	
	  
   	
	   
 
 

  	
   
  N, counted down			
    
   	
	  	 
 
		 	
  the address   	

  	 
 
 			 
 
				
	
     	
	   
 
	 
  the mark: drop it and the address
  		
 

 


 
  

   	



