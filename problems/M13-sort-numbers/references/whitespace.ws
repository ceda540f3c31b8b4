 Insertion: the numbers lie in order from cell 2 on; a new one moves down past all that are larger. Cell 1 holds less  than any number, so the way down ends there. The end of the input in cell 0 ends the list, so N is not needed.   	
  		  			   	    
		 
 	 
  N 

  the first free cell   	 

  	 
 
 
 	 
  free, place, number: is it less than the one before its place?
  		
 
  	  	 
   	
	  					  	
		   
		    	
	      
			
		  	

 
	 
  that one moves up
     
 	  	
 
    	
	  						  
	   	
	  	 
	
 
		
  print from cell 2 to the first free one
    	
   	 

   	 
 
 				
 	   	
	    	  	
 	  	
	  	
	  		
   	     
	
  
 
 	 

   		



  S: the next integer; the character after it stays in cell 0
   
  n, the number so far   
  one more character
  	
   
 
 	
	 			   		    
	  	 
 
		  
  a digit: n times ten, plus it 
	   	 	 
	  
	   
 
	
  no digit: a minus is 3 less than 0
    
   		
	   
	  	

	
  a minus: 0 - what follows
   	

 	 
	  	
	
