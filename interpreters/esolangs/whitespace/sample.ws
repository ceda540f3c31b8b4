 Greets whoever the input names 
   			  		 			 	   		    	 			  	  			 	  
   	  	   
	
     		 	  	
	
     	     
	
  
   		 		   		 				 		 				 			    
   
	
	 one character into cell 0   
			
		 		  	   		 				 		 			  		  	 	
-1 is the end of input   
				
  
 
 		 		   		 				 		 				 			    

   		  	   		 				 		 			  		  	 	
   	 	 
	
  


