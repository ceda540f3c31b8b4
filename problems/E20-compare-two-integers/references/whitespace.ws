 The sign of the difference chooses a word. Its letters, as places in the alphabet, go above a 0, the last one first.   

 	 

 	 
	  	 
 
	 	 

				
  greater   	  	 
   	 	
   	 	  
   	
   	 	
   	  	 
   			
  print down to the 0
     
 
 
	   	
   		     
	   	
  
 
   

    	



  equal
  	 
   		  
   	
   	 	 	
   	   	
   	 	

 
   
  less
  		
   	  		
 
    	 	
   		  

 
   
  S: the next integer; the character after it stays in cell 0
   
  n, the number so far   
  one more character
  	
   
 
 	
	 			   		    
	  	 
 
		  
  a digit: n times ten, plus it 
	   	 	 
	  
	   
 
	
  no digit: a minus is 3 less than 0
    
   		
	   
	  	

	
  a minus: 0 - what follows
   	

 	 
	  	
	
