// One thread writes to the FIFO and one reads, which its comment says needs no lock.
#include <assert.h>
#include <kfifo.h>

static struct kfifo fifo;
static unsigned char bytes[2], got;
