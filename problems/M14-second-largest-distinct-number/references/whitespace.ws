 The two on top are the second and the largest so far. A new largest only has to stay where it is: the largest before  is then right below it. What is no longer needed remains further down.  less than any number  		  			   	    
 
 
 	 
  N 


  	 

 	 
  larger than the largest? 	  	
 	  	
	  	
				
  equal to it? 	  	
 	  	
	  	
	    
  larger than the second? 	  	 
 	  	
	  	
		  	

     
 


  		
  was it the last one?   
			
		 	 

 
	 

    	
 
	
 
		

   	 
 

	
 	


  S: the next integer; the character after it stays in cell 0
   
  n, the number so far   
  one more character
  	
   
 
 	
	 			   		    
	  	 
 
		  
  a digit: n times ten, plus it 
	   	 	 
	  
	   
 
	
  no digit: a minus is 3 less than 0
    
   		
	   
	  	

	
  a minus: 0 - what follows
   	

 	 
	  	
	
