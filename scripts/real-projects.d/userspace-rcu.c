// Two threads enqueue without waiting while another one tries to dequeue: both nodes come out, each once.
#include <assert.h>
#include <urcu/wfcqueue.h>

static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;
static struct cds_wfcq_node nodes[2], *first;
