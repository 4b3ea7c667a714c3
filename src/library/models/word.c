/* Block operations by words of WORD_SIZE bytes, wherever these lie; the last few bytes one by one. */
typedef WORD __selvedge_wordWORD_SIZE __attribute__((aligned(1)));

void *__selvedge_memsetWORD_SIZE(void *to, int byte, size_t size) {
  __selvedge_wordWORD_SIZE *t = to;
  WORD value = (WORD)((WORD)~(WORD)0 / 255 * (unsigned char)byte);
  for (size_t i = 0; i < size / WORD_SIZE; i++)
    t[i] = value;
  for (size_t i = size - size % WORD_SIZE; i < size; i++)
    ((unsigned char *)to)[i] = (unsigned char)byte;
  return to;
}

void *__selvedge_memcpyWORD_SIZE(void *to, const void *from, size_t size) {
  __selvedge_wordWORD_SIZE *t = to;
  const __selvedge_wordWORD_SIZE *f = from;
  for (size_t i = 0; i < size / WORD_SIZE; i++)
    t[i] = f[i];
  for (size_t i = size - size % WORD_SIZE; i < size; i++)
    ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
  return to;
}

void *__selvedge_memmoveWORD_SIZE(void *to, const void *from, size_t size) {
  __selvedge_wordWORD_SIZE *t = to;
  const __selvedge_wordWORD_SIZE *f = from;
  if ((size_t)t <= (size_t)f)
    return __selvedge_memcpyWORD_SIZE(to, from, size);
  for (size_t i = size; i > size - size % WORD_SIZE; i--)
    ((unsigned char *)to)[i - 1] = ((const unsigned char *)from)[i - 1];
  for (size_t i = size / WORD_SIZE; i > 0; i--)
    t[i - 1] = f[i - 1];
  return to;
}
