// Locks of Concurrency Kit, and what they protect. Threads and assertions are on the command line.
#include <assert.h>
#include <ck_rwlock.h>
#include <ck_spinlock.h>

static ck_spinlock_fas_t fas;
static ck_spinlock_ticket_t ticket;
static ck_spinlock_mcs_t mcs;
static ck_rwlock_t readers;
static int count, copy;
