 A routine reads one more number and keeps the larger of the two on top. Call it for the second and the third.
 	 

 		 

 		 
	
 	


  TS: replace the top by the next number if that is larger
  	 

 	 
  new - old 
  	  	 
	  	
				
 
	
  		
 


	
  S: the next integer; the character after it stays in cell 0
   
  n, the number so far   
  one more character
  	
   
 
 	
	 			   		    
	  	 
 
		  
  a digit: n times ten, plus it 
	   	 	 
	  
	   
 
	
  no digit: a minus is 3 less than 0
    
   		
	   
	  	

	
  a minus: 0 - what follows
   	

 	 
	  	
	
