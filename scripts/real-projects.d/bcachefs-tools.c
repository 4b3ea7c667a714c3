// The kernel's lock-less list. Threads and assertions are on the command line.
#include <assert.h>
#include <linux/llist.h>

static LLIST_HEAD(list);
static struct llist_node nodes[2];
