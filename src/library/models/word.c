/* Block operations by words of the type WORD, of WORD_SIZE bytes, wherever these lie; the last few bytes one by one. */
#define JOINED(name, size) name##size
#define NAMED(name, size) JOINED(name, size)
#define SIZED(name) NAMED(name, WORD_SIZE)
typedef WORD SIZED(__selvedge_word) __attribute__((aligned(1)));

void *SIZED(__selvedge_memset)(void *to, int byte, size_t size) {
  SIZED(__selvedge_word) *t = to;
  WORD value = (WORD)((WORD)~(WORD)0 / 255 * (unsigned char)byte);
  for (size_t i = 0; i < size / WORD_SIZE; i++)
    t[i] = value;
  for (size_t i = size - size % WORD_SIZE; i < size; i++)
    ((unsigned char *)to)[i] = (unsigned char)byte;
  return to;
}

void *SIZED(__selvedge_memcpy)(void *to, const void *from, size_t size) {
  SIZED(__selvedge_word) *t = to;
  const SIZED(__selvedge_word) *f = from;
  for (size_t i = 0; i < size / WORD_SIZE; i++)
    t[i] = f[i];
  for (size_t i = size - size % WORD_SIZE; i < size; i++)
    ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
  return to;
}

void *SIZED(__selvedge_memmove)(void *to, const void *from, size_t size) {
  SIZED(__selvedge_word) *t = to;
  const SIZED(__selvedge_word) *f = from;
  if ((size_t)t <= (size_t)f)
    return SIZED(__selvedge_memcpy)(to, from, size);
  for (size_t i = size; i > size - size % WORD_SIZE; i--)
    ((unsigned char *)to)[i - 1] = ((const unsigned char *)from)[i - 1];
  for (size_t i = size / WORD_SIZE; i > 0; i--)
    t[i - 1] = f[i - 1];
  return to;
}
