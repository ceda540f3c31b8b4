 The heap is a table: cell k holds 1 where the k-th letter is a vowel. From @ on, a code's remainder by 32 is the place  in the alphabet in either case. Lower codes point to cells that hold 0. Where the table says 0, print.  a   	
   	
		   e   	 	
   	
		   i   	  	
   	
		   o   				
   	
		   u   	 	 	
   	
		 
   
  characters go to cell -1, outside of the table  		
 
 	
	 			 
 
			
 
   lower than @? 
    	      
	  	
		  
   	     
	 		
    
			
	  	
 


 
 

   	
	
  
 
 

  	



