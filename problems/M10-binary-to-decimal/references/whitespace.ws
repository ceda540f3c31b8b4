 For each digit: twice the value, plus the digit.  the value   

   
   
 
 	
	 			 
 
			
   		    
	  	  twice the value 
	 
 	   	   
 
 

  	
 

	
 	


