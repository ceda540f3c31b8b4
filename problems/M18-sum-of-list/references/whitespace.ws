 The sum waits on the stack while a routine reads the next number. The routine leaves the -1 of the end in cell 0, so N is  not needed.
 	 
 

 N   

  	 

 	 
	      
			
				

 
	 

  		
	
 	


  S: leave the next integer on the stack; the character after it stays in cell 0
   
   
 the number so far
  	
 one more character   
 
 	
	 			   		    
	  	 
 
		  
 
	 a digit: ten times the number, plus it   	 	 
	  
	   
 
	

    
 not a digit; the code of a minus is 3 less than that of 0   		
	   
	  	

	

   	
 after a minus: 0 - the number that follows
 	 
	  	
	
