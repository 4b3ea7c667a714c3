/* Message queues (POSIX); not modelled. */
#ifndef __SELVEDGE_MQUEUE_H
#define __SELVEDGE_MQUEUE_H
#include <sys/types.h>
#include <time.h>
typedef int mqd_t;
struct mq_attr { long mq_flags, mq_maxmsg, mq_msgsize, mq_curmsgs; };
extern mqd_t mq_open(const char *name, int flags, ...);
extern int mq_close(mqd_t queue);
extern int mq_unlink(const char *name);
extern int mq_send(mqd_t queue, const char *from, size_t size, unsigned priority);
extern ssize_t mq_receive(mqd_t queue, char *to, size_t size, unsigned *priority);
extern int mq_getattr(mqd_t queue, struct mq_attr *to);
#endif
