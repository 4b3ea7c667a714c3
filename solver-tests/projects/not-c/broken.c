int value = ; // error: 
