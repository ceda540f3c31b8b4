 Read both with a routine. If the second is not greater, exchange them; drop the top and print the other.
 	 

 	 
 	  	
 	  	
	  	
			 
 
	
  	 
 

	
 	


  S: the next integer; the character after it stays in cell 0
   
  n, the number so far   
  one more character
  	
   
 
 	
	 			   		    
	  	 
 
		  
  a digit: n times ten, plus it 
	   	 	 
	  
	   
 
	
  no digit: a minus is 3 less than 0
    
   		
	   
	  	

	
  a minus: 0 - what follows
   	

 	 
	  	
	
