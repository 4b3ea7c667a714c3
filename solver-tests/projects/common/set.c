int shared;
int table[2] = {1};
void set(int n) {
  shared = n;
  table[1] = n;
}
