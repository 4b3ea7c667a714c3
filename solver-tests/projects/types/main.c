extern int level; // error: `level` is declared with another type elsewhere
void set(int n, int m); // error: `set` is declared with another type elsewhere
struct pair {
  int a;
  int b;
};
extern struct pair both; // error: `both` is declared with another type elsewhere
int main(void) {
  set(1, 2);
  return level + both.a;
}
