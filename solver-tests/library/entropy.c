// safe, reached
// getentropy gives all bytes, which are any, or fails; more than 256 are too many.
extern int getentropy(void *, unsigned long);

int main(void) {
  unsigned char bytes[2] = {5, 5};
  int all = getentropy(bytes, 1);
  assert((all == 0 || all == -1) && bytes[1] == 5);
  assert(getentropy(bytes, 257) == -1);
  if (all == 0)
    REACHED;
  return 0;
}
