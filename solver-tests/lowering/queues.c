// Lists and queues of <sys/queue.h>: every operation on each kind.
#include "check.h"
#include <stddef.h>
#include <sys/queue.h>
#ifndef SLIST_FOREACH_SAFE
#define SLIST_FOREACH_SAFE(one, head, link, next) \
  for ((one) = SLIST_FIRST(head); (one) && ((next) = SLIST_NEXT(one, link), 1); (one) = (next))
#endif
#ifndef TAILQ_FOREACH_SAFE
#define TAILQ_FOREACH_SAFE(one, head, link, next) \
  for ((one) = TAILQ_FIRST(head); (one) && ((next) = TAILQ_NEXT(one, link), 1); (one) = (next))
#endif

struct node {
  int value;
  SLIST_ENTRY(node) single;
  LIST_ENTRY(node) both;
  STAILQ_ENTRY(node) queued;
  TAILQ_ENTRY(node) between;
};
SLIST_HEAD(single_list, node);
LIST_HEAD(list, node);
STAILQ_HEAD(queue, node);
TAILQ_HEAD(deque, node);
static struct queue all_queued = STAILQ_HEAD_INITIALIZER(all_queued);
static struct deque all = TAILQ_HEAD_INITIALIZER(all);
static struct node a = {1}, b = {2}, c = {3}, d = {4};
static struct node *p, *next;

static void singly_linked(void) {
  int digits = 0;
  struct single_list list = SLIST_HEAD_INITIALIZER(list);
  SLIST_INIT(&list);
  SLIST_INSERT_HEAD(&list, &a, single);
  SLIST_INSERT_AFTER(&a, &b, single);
  SLIST_INSERT_HEAD(&list, &c, single);
  SLIST_FOREACH(p, &list, single) digits = digits * 10 + p->value;
  check(digits == 312);
  SLIST_REMOVE(&list, &a, node, single);
  digits = 0;
  SLIST_FOREACH_SAFE(p, &list, single, next) {
    digits = digits * 10 + p->value;
    SLIST_REMOVE_HEAD(&list, single);
  }
  check(digits == 32 && SLIST_EMPTY(&list));
}

static void doubly_linked(void) {
  int digits = 0;
  struct list list;
  LIST_INIT(&list);
  LIST_INSERT_HEAD(&list, &a, both);
  LIST_INSERT_AFTER(&a, &b, both);
  LIST_INSERT_BEFORE(&b, &c, both);
  LIST_INSERT_BEFORE(&a, &d, both);
  LIST_FOREACH(p, &list, both) digits = digits * 10 + p->value;
  check(digits == 4132);
  LIST_REMOVE(&c, both);
  LIST_REMOVE(&d, both);
  LIST_REMOVE(&b, both);
  check(LIST_FIRST(&list) == &a && !LIST_NEXT(&a, both));
  LIST_REMOVE(&a, both);
  check(LIST_EMPTY(&list));
}

static void queues(void) {
  int digits = 0;
  struct queue queue;
  STAILQ_INIT(&queue);
  STAILQ_INSERT_TAIL(&queue, &a, queued);
  STAILQ_INSERT_HEAD(&queue, &b, queued);
  STAILQ_INSERT_AFTER(&queue, &a, &c, queued);
  STAILQ_FOREACH(p, &queue, queued) digits = digits * 10 + p->value;
  check(digits == 213);
  STAILQ_REMOVE(&queue, &c, node, queued);
  STAILQ_INSERT_TAIL(&queue, &d, queued);
  STAILQ_CONCAT(&all_queued, &queue);
  check(STAILQ_EMPTY(&queue));
  digits = 0;
  while ((p = STAILQ_FIRST(&all_queued))) {
    STAILQ_REMOVE_HEAD(&all_queued, queued);
    digits = digits * 10 + p->value;
  }
  check(digits == 214 && STAILQ_EMPTY(&all_queued));
}

static void deques(void) {
  int digits = 0;
  TAILQ_INSERT_TAIL(&all, &a, between);
  TAILQ_INSERT_TAIL(&all, &b, between);
  TAILQ_INSERT_HEAD(&all, &c, between);
  TAILQ_INSERT_BEFORE(&b, &d, between);
  TAILQ_FOREACH(p, &all, between) digits = digits * 10 + p->value;
  check(digits == 3142);
  digits = 0;
  TAILQ_FOREACH_REVERSE(p, &all, deque, between) digits = digits * 10 + p->value;
  check(digits == 2413);
  check(TAILQ_LAST(&all, deque) == &b && TAILQ_PREV(&b, deque, between) == &d);
  check(TAILQ_PREV(&c, deque, between) == 0);
  TAILQ_REMOVE(&all, &b, between);
  TAILQ_REMOVE(&all, &c, between);
  TAILQ_INSERT_AFTER(&all, &d, &b, between);
  digits = 0;
  TAILQ_FOREACH_SAFE(p, &all, between, next) {
    TAILQ_REMOVE(&all, p, between);
    digits = digits * 10 + p->value;
  }
  check(digits == 142 && TAILQ_EMPTY(&all));
}

int main(void) {
  singly_linked();
  doubly_linked();
  queues();
  deques();
  finish();
}
