/* Memory management (C11 7.22.3) as programs. */
/* The size of a live heap object; undefined for anything else. */
extern size_t __selvedge_object_size(void *object);

/* Nobody else may use the old object meanwhile, nor know the new one: it does not matter how wide the accesses are. */
void *realloc(void *old, size_t size) {
  if (!old)
    return malloc(size);
  if (!size) {
    free(old);
    return (void *)0;
  }
  size_t had = __selvedge_object_size(old);
  unsigned char *f = old, *t = malloc(size);
  if (!t)
    return t;
  size_t kept = had < size ? had : size, i = 0;
  for (; i + 8 <= kept; i += 8)
    *(unsigned long long *)(t + i) = *(unsigned long long *)(f + i);
  for (; i < kept; i++)
    t[i] = f[i];
  free(old);
  return t;
}

void *reallocarray(void *old, size_t count, size_t size) {
  if (size && count > ~(size_t)0 / size)
    return (void *)0;
  return realloc(old, count * size);
}
