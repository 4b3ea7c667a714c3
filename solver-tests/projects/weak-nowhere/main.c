int plugin(void) __attribute__((weak)); // error: `plugin` is weak and used, but defined nowhere
int main(void) {
  if (plugin)
    return plugin();
  return 0;
}
