#include <assert.h>
void *memcpy(void *to, const void *from, unsigned long bytes);
#define BUG_ON(wrong) assert(!(wrong))
#define min(a, b) ((a) < (b) ? (a) : (b))
