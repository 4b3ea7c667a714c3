// Event count of Concurrency Kit on futexes: a thread that waits for what another one does before it counts.
#include <assert.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <ck_ec.h>

static int now(const struct ck_ec_ops *ops, struct timespec *time) { return clock_gettime(CLOCK_MONOTONIC, time); }
static void wait32(const struct ck_ec_wait_state *state, const uint32_t *word, uint32_t value, const struct timespec *limit) {
  syscall(SYS_futex, word, FUTEX_WAIT_BITSET, value, limit, NULL, FUTEX_BITSET_MATCH_ANY);
}
static void wake32(const struct ck_ec_ops *ops, const uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX); }
static const struct ck_ec_ops ops = {.gettime = now, .wait32 = wait32, .wake32 = wake32, .busy_loop_iter = 1};
static const struct ck_ec_mode mode = {.ops = &ops};
static struct ck_ec32 count;
static int done;
