struct box {
  int value;
};
static struct box one;
struct box *make(int n) {
  one.value = n;
  return &one;
}
int get(struct box *b) { return b->value; }
