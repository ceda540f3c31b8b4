 The two on top are the second and the largest so far. A new largest only has to stay where it is: the largest before  is then right below it. What is no longer needed remains further down.  		  			   	    
 less than any number 
 
 	 
 

 N
  	 

 	 
 	  	
 larger than the largest? 	  	
	  	
				
 	  	
 equal to it? 	  	
	  	
	    
 	  	 
 larger than the second? 	  	
	  	
		  	

     
 


  		
   
 was it the last one?			
		 	 

 
	 

    	
 
	
 
		

   	 
 

	
 	


  S: leave the next integer on the stack; the character after it stays in cell 0
   
   
 the number so far
  	
 one more character   
 
 	
	 			   		    
	  	 
 
		  
 
	 a digit: ten times the number, plus it   	 	 
	  
	   
 
	

    
 not a digit; the code of a minus is 3 less than that of 0   		
	   
	  	

	

   	
 after a minus: 0 - the number that follows
 	 
	  	
	
