 A routine reads an integer and the space after it; between them the operator goes to cell 1. Less 43 it is  negative for *, 0 for +, positive for -.
 	 
   	
	
	   the space after it   
	
	 
 	 
   	
			   	 	 		
	  	 
 
			 

	 		
	  		
 	



  	 
 

	  
	
 	



  		
	   	
 	


  S: the next integer; the character after it stays in cell 0
   
  n, the number so far   
  one more character
  	
   
 
 	
	 			   		    
	  	 
 
		  
  a digit: n times ten, plus it 
	   	 	 
	  
	   
 
	
  no digit: a minus is 3 less than 0
    
   		
	   
	  	

	
  a minus: 0 - what follows
   	

 	 
	  	
	
