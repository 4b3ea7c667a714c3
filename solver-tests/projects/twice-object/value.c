int value = 2; // error: `value` is defined twice
