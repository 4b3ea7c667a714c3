static int one = 1;
int plus_one(int n) { return n + one; }
int also_plus_one(int n) __attribute__((alias("plus_one")));
