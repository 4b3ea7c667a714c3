/* Memory management (C11 7.22.3) as programs. */
/* The size of a live heap object; undefined for anything else. */
extern size_t __selvedge_object_size(void *object);

/* A new object, which may stand where the old one is: the old one ends before anybody knows of it. */
extern void *__selvedge_new_object(void *old, size_t size);

/* A copy by words of 8 bytes, of any size; the last may be shorter. */
extern void __selvedge_block_copy(void *to, const void *from, size_t size);

/* Nobody else may use the old object meanwhile, nor know the new one: it does not matter how wide the accesses are. */
void *realloc(void *old, size_t size) {
  if (!old)
    return malloc(size);
  if (!size) {
    free(old);
    return (void *)0;
  }
  size_t had = __selvedge_object_size(old);
  void *t = __selvedge_new_object(old, size);
  if (!t)
    return (void *)0;
  __selvedge_block_copy(t, old, had < size ? had : size);
  free(old);
  return t;
}

void *reallocarray(void *old, size_t count, size_t size) {
  if (size && count > ~(size_t)0 / size)
    return (void *)0;
  return realloc(old, count * size);
}
