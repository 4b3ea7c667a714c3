// Two producers and a consumer on a queue with two places: what comes out went in, and each value comes once.
#include <assert.h>
#include <cmpmc.h>

static mpmc_bounded_queue_t queue;
static int values[2], *first;
