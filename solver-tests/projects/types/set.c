long level; // error: `level` is declared with another type elsewhere
void set(int n) { level = n; } // error: `set` is declared with another type elsewhere
struct pair {
  int a;
  long b;
};
struct pair both; // error: `both` is declared with another type elsewhere
