// safe, reached
// Random bytes are any, as many as are asked for or fewer.
extern long getrandom(void *, unsigned long, unsigned);

int main(void) {
  unsigned char bytes[3] = {5, 5, 5};
  long n = getrandom(bytes, 2, 0);
  assert(n >= -1 && n <= 2 && bytes[2] == 5);
  if (n == 1)
    assert(bytes[1] == 5);
  if (n == 2)
    REACHED;
  return 0;
}
