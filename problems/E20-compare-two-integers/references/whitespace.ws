 The sign of the difference chooses a word. Its letters, as places in the alphabet, go above a 0, the last one first.   

 	 

 	 
	  	 
 
	 	 

				
   	  	 
 greater   	 	
   	 	  
   	
   	 	
   	  	 
   			

     
 print down to the 0 
 
	   	
   		     
	   	
  
 
   

    	




  	 
 equal   		  
   	
   	 	 	
   	   	
   	 	

 
   

  		
 less   	  		
 
    	 	
   		  

 
   
  S: leave the next integer on the stack; the character after it stays in cell 0
   
   
 the number so far
  	
 one more character   
 
 	
	 			   		    
	  	 
 
		  
 
	 a digit: ten times the number, plus it   	 	 
	  
	   
 
	

    
 not a digit; the code of a minus is 3 less than that of 0   		
	   
	  	

	

   	
 after a minus: 0 - the number that follows
 	 
	  	
	
