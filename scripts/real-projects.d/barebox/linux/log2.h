unsigned roundup_pow_of_two(unsigned size);
