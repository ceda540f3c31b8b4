 The line goes to the cells from 1 on, the pattern to those from 100 on, with the newline and the -1 as marks.  For each start two addresses walk along until the characters differ or the pattern ends.   	

 	 
   		  	  

 	 
  the start   	

  	
  at the newline all starts are done 
 			   	 	 
	  	
	   
  in the line, and in the pattern 
    		  	  

   	
 
 			
			 
 	  	
			 	  	
				  	
	 		
  the next start
     
 

 

   	
	   
 
	
  equal: both addresses go on
  		
   	
	    
	   	
	    
	
 
 	
  found: count in cell 0
  	 
   
 
 			   	
	   		 
 
   

    
   
				
 	


  S: store a line at the address on the stack; newline and end are less than 11
   
 
 	
	  
 			   	 		
	  	
		  	
   	
	   
 
 

    	

	
