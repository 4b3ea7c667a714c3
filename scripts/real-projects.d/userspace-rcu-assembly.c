// Wait-free queue, wait-free stack and lock-free stack of Userspace RCU. Threads and assertions are on the command line.
#include <assert.h>
#include <urcu/lfstack.h>
#include <urcu/static/lfstack.h>
#include <urcu/wfcqueue.h>
#include <urcu/static/wfcqueue.h>
#include <urcu/wfstack.h>
#include <urcu/static/wfstack.h>

static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;
static struct cds_wfcq_node nodes[2];
static struct cds_wfs_stack pile;
static struct cds_wfs_node cards[2];
static struct cds_lfs_stack stack;
static struct cds_lfs_node entries[2];
