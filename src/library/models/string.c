/* String handling (C11 7.24, POSIX) as programs, byte by byte. The functions that a program calls are lowered and
 * become part of it, so that every read and write is one of the checked program. */

void *__selvedge_memset(void *to, int byte, size_t size) {
  unsigned char *t = to;
  for (size_t i = 0; i < size; i++)
    t[i] = (unsigned char)byte;
  return to;
}

void bzero(void *to, size_t size) { __selvedge_memset(to, 0, size); }

void *__selvedge_memcpy(void *to, const void *from, size_t size) {
  unsigned char *t = to;
  const unsigned char *f = from;
  for (size_t i = 0; i < size; i++)
    t[i] = f[i];
  return to;
}

void *mempcpy(void *to, const void *from, size_t size) {
  __selvedge_memcpy(to, from, size);
  return (unsigned char *)to + size;
}

/* Where the parts overlap, the order matters. */
void *__selvedge_memmove(void *to, const void *from, size_t size) {
  unsigned char *t = to;
  const unsigned char *f = from;
  if ((size_t)t <= (size_t)f) {
    for (size_t i = 0; i < size; i++)
      t[i] = f[i];
  } else {
    for (size_t i = size; i > 0; i--)
      t[i - 1] = f[i - 1];
  }
  return to;
}

void bcopy(const void *from, void *to, size_t size) { __selvedge_memmove(to, from, size); }

int __selvedge_memcmp(const void *a, const void *b, size_t size) {
  const unsigned char *x = a, *y = b;
  for (size_t i = 0; i < size; i++)
    if (x[i] != y[i])
      return (int)x[i] - (int)y[i];
  return 0;
}

void *memchr(const void *in, int byte, size_t size) {
  const unsigned char *x = in;
  for (size_t i = 0; i < size; i++)
    if (x[i] == (unsigned char)byte)
      return (void *)(x + i);
  return (void *)0;
}

size_t strlen(const char *text) {
  size_t n = 0;
  while (text[n])
    n++;
  return n;
}

size_t strnlen(const char *text, size_t size) {
  size_t n = 0;
  while (n < size && text[n])
    n++;
  return n;
}

char *stpcpy(char *to, const char *from) {
  size_t i = 0;
  for (; from[i]; i++)
    to[i] = from[i];
  to[i] = 0;
  return to + i;
}

char *strcpy(char *to, const char *from) {
  stpcpy(to, from);
  return to;
}

char *strncpy(char *to, const char *from, size_t size) {
  size_t i = 0;
  for (; i < size && from[i]; i++)
    to[i] = from[i];
  for (; i < size; i++)
    to[i] = 0;
  return to;
}

char *strcat(char *to, const char *from) {
  stpcpy(to + strlen(to), from);
  return to;
}

char *strncat(char *to, const char *from, size_t size) {
  size_t n = strlen(to), i = 0;
  for (; i < size && from[i]; i++)
    to[n + i] = from[i];
  to[n + i] = 0;
  return to;
}

char *strdup(const char *text) {
  char *to = malloc(strlen(text) + 1);
  if (to)
    stpcpy(to, text);
  return to;
}

int strncmp(const char *a, const char *b, size_t size) {
  for (size_t i = 0; i < size; i++) {
    unsigned char x = (unsigned char)a[i], y = (unsigned char)b[i];
    if (x != y)
      return (int)x - (int)y;
    if (!x)
      return 0;
  }
  return 0;
}

int strcmp(const char *a, const char *b) { return strncmp(a, b, ~(size_t)0); }

char *strchrnul(const char *text, int c) {
  while (*text && *text != (char)c)
    text++;
  return (char *)text;
}

char *strchr(const char *text, int c) {
  char *found = strchrnul(text, c);
  return *found == (char)c ? found : (char *)0;
}

char *strrchr(const char *text, int c) {
  char *found = (char *)0;
  for (;; text++) {
    if (*text == (char)c)
      found = (char *)text;
    if (!*text)
      return found;
  }
}

size_t strspn(const char *text, const char *set) {
  size_t n = 0;
  while (text[n] && strchr(set, text[n]))
    n++;
  return n;
}

size_t strcspn(const char *text, const char *set) {
  size_t n = 0;
  while (text[n] && !strchr(set, text[n]))
    n++;
  return n;
}

char *strpbrk(const char *text, const char *set) {
  text += strcspn(text, set);
  return *text ? (char *)text : (char *)0;
}

char *strstr(const char *text, const char *part) {
  size_t n = strlen(part);
  for (;; text++) {
    if (strncmp(text, part, n) == 0)
      return (char *)text;
    if (!*text)
      return (char *)0;
  }
}

int ffs(int value) { return __builtin_ffs(value); }
int ffsl(long value) { return __builtin_ffsl(value); }
int ffsll(long long value) { return __builtin_ffsll(value); }

int bcmp(const void *a, const void *b, size_t size) { return __selvedge_memcmp(a, b, size); }
char *index(const char *text, int c) { return strchr(text, c); }
char *rindex(const char *text, int c) { return strrchr(text, c); }

void *memccpy(void *to, const void *from, int byte, size_t size) {
  unsigned char *t = to;
  const unsigned char *f = from;
  for (size_t i = 0; i < size; i++) {
    t[i] = f[i];
    if (f[i] == (unsigned char)byte)
      return (void *)(t + i + 1);
  }
  return (void *)0;
}

char *strndup(const char *text, size_t size) {
  size_t n = strnlen(text, size);
  char *to = malloc(n + 1);
  if (to) {
    __selvedge_memcpy(to, text, n);
    to[n] = 0;
  }
  return to;
}

char *stpncpy(char *to, const char *from, size_t size) {
  size_t i = 0, n;
  for (; i < size && from[i]; i++)
    to[i] = from[i];
  n = i;
  for (; i < size; i++)
    to[i] = 0;
  return to + n;
}

int strncasecmp(const char *a, const char *b, size_t size) {
  for (size_t i = 0; i < size; i++) {
    int x = tolower((unsigned char)a[i]), y = tolower((unsigned char)b[i]);
    if (x != y)
      return x - y;
    if (!x)
      return 0;
  }
  return 0;
}

int strcasecmp(const char *a, const char *b) { return strncasecmp(a, b, ~(size_t)0); }

int strcoll(const char *a, const char *b) { return strcmp(a, b); }

void *memrchr(const void *in, int byte, size_t size) {
  const unsigned char *x = in;
  while (size-- > 0)
    if (x[size] == (unsigned char)byte)
      return (void *)(x + size);
  return (void *)0;
}

void *rawmemchr(const void *in, int byte) {
  const unsigned char *x = in;
  while (*x != (unsigned char)byte)
    x++;
  return (void *)x;
}

char *strtok_r(char *text, const char *set, char **rest) {
  if (!text)
    text = *rest;
  FAULT(DELIMITER_KEPT, , text += strspn(text, set));
  if (!*text) {
    *rest = text;
    return (char *)0;
  }
  char *end = text + strcspn(text, set);
  *rest = *end ? end + 1 : end;
  *end = 0;
  return text;
}

char *strsep(char **text, const char *set) {
  char *start = *text;
  if (!start)
    return start;
  char *end = start + strcspn(start, set);
  *text = *end ? end + 1 : (char *)0;
  *end = 0;
  return start;
}
