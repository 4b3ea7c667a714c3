// safe, reached
// Random bytes are any, as many as are asked for or fewer; getentropy gives all or fails.
extern long getrandom(void *, unsigned long, unsigned);
extern int getentropy(void *, unsigned long);

int main(void) {
  unsigned char bytes[3] = {5, 5, 5};
  long n = getrandom(bytes, 2, 0);
  assert(n >= -1 && n <= 2 && bytes[2] == 5);
  if (n == 1)
    assert(bytes[1] == 5);
  int all = getentropy(bytes, 1);
  assert(all == 0 || all == -1);
  assert(getentropy(bytes, 257) == -1);
  if (n == 2 && all == 0)
    REACHED;
  return 0;
}
