// Two producers of a byte each and a consumer: what is consumed was written before.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/cdefs.h>
#include <sys/types.h>
#include "ringbuf.h"

static ringbuf_t *ring;
static unsigned char buffer[4];
static size_t size;
