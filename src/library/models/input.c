
/* Input (C11 7.21.7, POSIX): what is read is any bytes, as many as fit or fewer, or nothing. */
extern char __VERIFIER_nondet_char(void);
extern int *__errno_location(void);

char *fgets(char *to, int size, void *stream) {
  if (size < 1 || __VERIFIER_nondet_int() == 0)
    return (char *)0;
  int end = 0;
  /* A line break ends the line; the end of the input may do so anywhere else. */
  for (int i = 0; i + 1 < size && !end; i++) {
    char c = __VERIFIER_nondet_char();
    to[i] = c;
    to[i + 1] = 0;
    end = c == '\n' || __VERIFIER_nondet_int() == 0;
  }
  if (size == 1)
    to[0] = 0;
  return to;
}

int getchar(void) {
  int c = __VERIFIER_nondet_int() & 0x1ff;
  return c < 256 ? c : -1;
}
int fgetc(void *stream) { return getchar(); }
int getc(void *stream) { return getchar(); }
int getchar_unlocked(void) { return getchar(); }
int getc_unlocked(void *stream) { return getchar(); }

/* How much is written, or an error. */
long write(int file, const void *from, size_t size) {
  size_t n = (size_t)(unsigned)__VERIFIER_nondet_int();
  return n <= size ? (long)n : -1;
}
long send(int file, const void *from, size_t size, int flags) { return write(file, from, size); }
size_t fwrite(const void *from, size_t size, size_t count, void *stream) {
  size_t n = (size_t)(unsigned)__VERIFIER_nondet_int();
  return n <= count ? n : 0;
}

static size_t __selvedge_fill(char *to, size_t size) {
  size_t n = 0;
  int end = 0;
  for (size_t i = 0; i < size; i++) {
    end = end || __VERIFIER_nondet_int() == 0;
    if (!end) {
      to[i] = __VERIFIER_nondet_char();
      n = i + 1;
    }
  }
  return n;
}

size_t fread(void *to, size_t size, size_t count, void *stream) {
  size_t n = __selvedge_fill(to, size * count);
  return size ? n / size : 0;
}

long read(int file, void *to, size_t size) {
  long n = (long)__selvedge_fill(to, size);
  return __VERIFIER_nondet_int() == 0 ? -1 : n;
}
long recv(int file, void *to, size_t size, int flags) { return read(file, to, size); }

/* Random bytes: any, as those that are read; of getentropy all or none count. */
long getrandom(void *to, size_t size, unsigned flags) { return read(0, to, size); }
int getentropy(void *to, size_t size) {
  if (size > 256)
    return -1;
  return __selvedge_fill(to, size) == size && __VERIFIER_nondet_int() != 0 ? 0 : -1;
}

/* Memory with any content. */
void __VERIFIER_nondet_memory(void *to, size_t size) {
  for (size_t i = 0; i < size; i++)
    ((char *)to)[i] = __VERIFIER_nondet_char();
}
void klee_make_symbolic(void *to, size_t size, const char *name) { __VERIFIER_nondet_memory(to, size); }

/* Any text of fewer than 65,536 characters, or nothing. */
static char *__selvedge_any_text(void) {
  size_t size = (size_t)__VERIFIER_nondet_int() & 0xffff;
  if (size == 0)
    return (char *)0;
  char *text = malloc(size);
  if (text)
    text[size - 1] = 0;
  return text;
}

char *getenv(const char *name) { return __selvedge_any_text(); }

/* There is a text for every number. */
char *strerror(int number) {
  char *text = __selvedge_any_text();
  __VERIFIER_assume(text != 0);
  return text;
}
char *strsignal(int number) { return strerror(number); }

/* The arguments of main (C11 5.1.2.2.1): fewer than 1,024, the first 16 of them texts. The others are pointers to
 * nothing that may be accessed. */
char **__selvedge_arguments(int argc) {
  __VERIFIER_assume(argc < 1024);
  char **argv = malloc(((size_t)argc + 1) * sizeof *argv);
  __VERIFIER_assume(argv != 0);
  for (int i = 0; i < 16; i++)
    if (i < argc) {
      argv[i] = __selvedge_any_text();
      __VERIFIER_assume(argv[i] != 0);
    }
  argv[argc] = 0;
  return argv;
}

/* Functions that run when the program ends (C11 7.22.4.2), the last one first. */
int __selvedge_run_handlers(int *count, void (**handlers)(void)) {
  while (*count > 0) {
    --*count;
    handlers[*count]();
  }
  return 0;
}
