 A line that is not empty has one word more than spaces. Less 32 a space is 0, and the end is negative.  the count   
   
 
 	
	 			 
 
			
 

  a word begins
   
   	
	     within the word
    
   
 
 	
	 			   	     
	  	 
 
			

	  

 
  

  	
 

	
 	


