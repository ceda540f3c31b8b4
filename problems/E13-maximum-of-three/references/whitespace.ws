 A routine reads one more number and keeps the larger of the two on top. Call it for the second and the third.
 	 

 		 

 		 
	
 	


  TS: replace the top by the next number if that is larger
  	 

 	 
 
  new - old 	  	 
	  	
				
 
	
  		
 


	
  S: leave the next integer on the stack; the character after it stays in cell 0
   
   
 the number so far
  	
 one more character   
 
 	
	 			   		    
	  	 
 
		  
 
	 a digit: ten times the number, plus it   	 	 
	  
	   
 
	

    
 not a digit; the code of a minus is 3 less than that of 0   		
	   
	  	

	

   	
 after a minus: 0 - the number that follows
 	 
	  	
	
