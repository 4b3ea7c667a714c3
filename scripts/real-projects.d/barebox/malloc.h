void *malloc(unsigned long bytes);
void free(void *block);
