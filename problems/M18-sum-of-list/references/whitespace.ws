 The sum waits on the stack while a routine reads the next number. The routine leaves the -1 of the end in cell 0, so N is  not needed.
 	 
  N 

   

  	 

 	 
	      
			
				

 
	 

  		
	
 	


  S: the next integer; the character after it stays in cell 0
   
  n, the number so far   
  one more character
  	
   
 
 	
	 			   		    
	  	 
 
		  
  a digit: n times ten, plus it 
	   	 	 
	  
	   
 
	
  no digit: a minus is 3 less than 0
    
   		
	   
	  	

	
  a minus: 0 - what follows
   	

 	 
	  	
	
