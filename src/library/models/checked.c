/* Functions that check their arguments (C11 annex K). Who breaks a constraint gets some number that is not zero and
 * finds the result emptied; handlers of constraints are not called, and those that end the program show no more. */
extern void __VERIFIER_nondet_memory(void *to, size_t size);

/* The largest size that is one (`RSIZE_MAX`). */
static size_t __selvedge_most(void) { return ~(size_t)0 >> 1; }

static int __selvedge_constraint(void) {
  int error = __VERIFIER_nondet_int();
  __VERIFIER_assume(error != 0);
  return error;
}

static int __selvedge_apart(const void *a, const void *b, size_t size) {
  const char *x = a, *y = b;
  return x < y ? (size_t)y - (size_t)x >= size : (size_t)x - (size_t)y >= size;
}

int memset_s(void *to, size_t most, int byte, size_t size) {
  if (!to || most > __selvedge_most())
    return __selvedge_constraint();
  __selvedge_memset(to, byte, size <= most ? size : most);
  return size <= most ? 0 : __selvedge_constraint();
}

static int __selvedge_copy_s(void *to, size_t most, const void *from, size_t size, int overlaps) {
  if (!to || most > __selvedge_most())
    return __selvedge_constraint();
  if (!from || size > most || !overlaps && !__selvedge_apart(to, from, size)) {
    __selvedge_memset(to, 0, most);
    return __selvedge_constraint();
  }
  __selvedge_memmove(to, from, size);
  return 0;
}
int memcpy_s(void *to, size_t most, const void *from, size_t size) {
  return __selvedge_copy_s(to, most, from, size, 0);
}
int memmove_s(void *to, size_t most, const void *from, size_t size) {
  return __selvedge_copy_s(to, most, from, size, 1);
}

size_t strnlen_s(const char *text, size_t most) { return text ? strnlen(text, most) : 0; }

int strcpy_s(char *to, size_t most, const char *from) {
  if (!to || most == 0 || most > __selvedge_most())
    return __selvedge_constraint();
  size_t size = strnlen_s(from, most) + 1;
  if (!from || size > most || !__selvedge_apart(to, from, size)) {
    to[0] = 0;
    return __selvedge_constraint();
  }
  __selvedge_memcpy(to, from, size);
  /* What follows the text is unspecified. */
  __VERIFIER_nondet_memory(to + size, most - size);
  return 0;
}
