// Ring, stack and queue of Concurrency Kit. Threads and assertions are on the command line.
#include <assert.h>
#include <ck_fifo.h>
#include <ck_ring.h>
#include <ck_stack.h>

static ck_ring_t ring;
static ck_ring_buffer_t places[4];
static ck_stack_t stack;
static ck_stack_entry_t entries[2];
#ifdef CK_F_FIFO_MPMC
static ck_fifo_mpmc_t fifo;
static ck_fifo_mpmc_entry_t nodes[3];
#endif
static int values[2];
