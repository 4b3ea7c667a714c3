static int count;
static int step(void) { return 2; }
int count_up(void) {
  count += step();
  return count;
}
