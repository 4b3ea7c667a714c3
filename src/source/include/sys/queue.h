/* Lists and queues of structures that hold their own links (BSD): singly and doubly linked, with or without a tail. */
#ifndef __SELVEDGE_SYS_QUEUE_H
#define __SELVEDGE_SYS_QUEUE_H

/* A singly linked list. */
#define SLIST_HEAD(name, type) struct name { struct type *slh_first; }
#define SLIST_HEAD_INITIALIZER(head) { 0 }
#define SLIST_ENTRY(type) struct { struct type *sle_next; }
#define SLIST_FIRST(head) ((head)->slh_first)
#define SLIST_NEXT(one, link) ((one)->link.sle_next)
#define SLIST_EMPTY(head) (SLIST_FIRST(head) == 0)
#define SLIST_INIT(head) do { SLIST_FIRST(head) = 0; } while (0)
#define SLIST_INSERT_HEAD(head, one, link) do { \
    SLIST_NEXT(one, link) = SLIST_FIRST(head); \
    SLIST_FIRST(head) = (one); \
  } while (0)
#define SLIST_INSERT_AFTER(at, one, link) do { \
    SLIST_NEXT(one, link) = SLIST_NEXT(at, link); \
    SLIST_NEXT(at, link) = (one); \
  } while (0)
#define SLIST_REMOVE_HEAD(head, link) do { SLIST_FIRST(head) = SLIST_NEXT(SLIST_FIRST(head), link); } while (0)
#define SLIST_REMOVE_AFTER(at, link) do { SLIST_NEXT(at, link) = SLIST_NEXT(SLIST_NEXT(at, link), link); } while (0)
#define SLIST_REMOVE(head, one, type, link) do { \
    struct type **__place = &SLIST_FIRST(head); \
    while (*__place != (one)) \
      __place = &SLIST_NEXT(*__place, link); \
    *__place = SLIST_NEXT(*__place, link); \
  } while (0)
#define SLIST_FOREACH(one, head, link) for ((one) = SLIST_FIRST(head); (one); (one) = SLIST_NEXT(one, link))
#define SLIST_FOREACH_SAFE(one, head, link, next) \
  for ((one) = SLIST_FIRST(head); (one) && ((next) = SLIST_NEXT(one, link), 1); (one) = (next))

/* A doubly linked list: each element knows the pointer to it. */
#define LIST_HEAD(name, type) struct name { struct type *lh_first; }
#define LIST_HEAD_INITIALIZER(head) { 0 }
#define LIST_ENTRY(type) struct { struct type *le_next; struct type **le_prev; }
#define LIST_FIRST(head) ((head)->lh_first)
#define LIST_NEXT(one, link) ((one)->link.le_next)
#define LIST_EMPTY(head) (LIST_FIRST(head) == 0)
#define LIST_INIT(head) do { LIST_FIRST(head) = 0; } while (0)
#define LIST_INSERT_HEAD(head, one, link) do { \
    if ((LIST_NEXT(one, link) = LIST_FIRST(head)) != 0) \
      LIST_FIRST(head)->link.le_prev = &LIST_NEXT(one, link); \
    LIST_FIRST(head) = (one); \
    (one)->link.le_prev = &LIST_FIRST(head); \
  } while (0)
#define LIST_INSERT_AFTER(at, one, link) do { \
    if ((LIST_NEXT(one, link) = LIST_NEXT(at, link)) != 0) \
      LIST_NEXT(at, link)->link.le_prev = &LIST_NEXT(one, link); \
    LIST_NEXT(at, link) = (one); \
    (one)->link.le_prev = &LIST_NEXT(at, link); \
  } while (0)
#define LIST_INSERT_BEFORE(at, one, link) do { \
    (one)->link.le_prev = (at)->link.le_prev; \
    LIST_NEXT(one, link) = (at); \
    *(at)->link.le_prev = (one); \
    (at)->link.le_prev = &LIST_NEXT(one, link); \
  } while (0)
#define LIST_REMOVE(one, link) do { \
    if (LIST_NEXT(one, link) != 0) \
      LIST_NEXT(one, link)->link.le_prev = (one)->link.le_prev; \
    *(one)->link.le_prev = LIST_NEXT(one, link); \
  } while (0)
#define LIST_FOREACH(one, head, link) for ((one) = LIST_FIRST(head); (one); (one) = LIST_NEXT(one, link))
#define LIST_FOREACH_SAFE(one, head, link, next) \
  for ((one) = LIST_FIRST(head); (one) && ((next) = LIST_NEXT(one, link), 1); (one) = (next))

/* A singly linked queue: the head knows the last pointer. */
#define STAILQ_HEAD(name, type) struct name { struct type *stqh_first; struct type **stqh_last; }
#define STAILQ_HEAD_INITIALIZER(head) { 0, &(head).stqh_first }
#define STAILQ_ENTRY(type) struct { struct type *stqe_next; }
#define STAILQ_FIRST(head) ((head)->stqh_first)
#define STAILQ_NEXT(one, link) ((one)->link.stqe_next)
#define STAILQ_EMPTY(head) (STAILQ_FIRST(head) == 0)
#define STAILQ_LAST(head, type, link) \
  (STAILQ_EMPTY(head) ? (struct type *)0 \
                      : (struct type *)((char *)(head)->stqh_last - __builtin_offsetof(struct type, link)))
#define STAILQ_INIT(head) do { \
    STAILQ_FIRST(head) = 0; \
    (head)->stqh_last = &STAILQ_FIRST(head); \
  } while (0)
#define STAILQ_INSERT_HEAD(head, one, link) do { \
    if ((STAILQ_NEXT(one, link) = STAILQ_FIRST(head)) == 0) \
      (head)->stqh_last = &STAILQ_NEXT(one, link); \
    STAILQ_FIRST(head) = (one); \
  } while (0)
#define STAILQ_INSERT_TAIL(head, one, link) do { \
    STAILQ_NEXT(one, link) = 0; \
    *(head)->stqh_last = (one); \
    (head)->stqh_last = &STAILQ_NEXT(one, link); \
  } while (0)
#define STAILQ_INSERT_AFTER(head, at, one, link) do { \
    if ((STAILQ_NEXT(one, link) = STAILQ_NEXT(at, link)) == 0) \
      (head)->stqh_last = &STAILQ_NEXT(one, link); \
    STAILQ_NEXT(at, link) = (one); \
  } while (0)
#define STAILQ_REMOVE_HEAD(head, link) do { \
    if ((STAILQ_FIRST(head) = STAILQ_NEXT(STAILQ_FIRST(head), link)) == 0) \
      (head)->stqh_last = &STAILQ_FIRST(head); \
  } while (0)
#define STAILQ_REMOVE_AFTER(head, at, link) do { \
    if ((STAILQ_NEXT(at, link) = STAILQ_NEXT(STAILQ_NEXT(at, link), link)) == 0) \
      (head)->stqh_last = &STAILQ_NEXT(at, link); \
  } while (0)
#define STAILQ_REMOVE(head, one, type, link) do { \
    struct type **__place = &STAILQ_FIRST(head); \
    while (*__place != (one)) \
      __place = &STAILQ_NEXT(*__place, link); \
    if ((*__place = STAILQ_NEXT(*__place, link)) == 0) \
      (head)->stqh_last = __place; \
  } while (0)
#define STAILQ_CONCAT(head, more) do { \
    if (!STAILQ_EMPTY(more)) { \
      *(head)->stqh_last = STAILQ_FIRST(more); \
      (head)->stqh_last = (more)->stqh_last; \
      STAILQ_INIT(more); \
    } \
  } while (0)
#define STAILQ_FOREACH(one, head, link) for ((one) = STAILQ_FIRST(head); (one); (one) = STAILQ_NEXT(one, link))
#define STAILQ_FOREACH_SAFE(one, head, link, next) \
  for ((one) = STAILQ_FIRST(head); (one) && ((next) = STAILQ_NEXT(one, link), 1); (one) = (next))

/* The same under its other name. */
#define SIMPLEQ_HEAD(name, type) struct name { struct type *sqh_first; struct type **sqh_last; }
#define SIMPLEQ_HEAD_INITIALIZER(head) { 0, &(head).sqh_first }
#define SIMPLEQ_ENTRY(type) struct { struct type *sqe_next; }
#define SIMPLEQ_FIRST(head) ((head)->sqh_first)
#define SIMPLEQ_NEXT(one, link) ((one)->link.sqe_next)
#define SIMPLEQ_EMPTY(head) (SIMPLEQ_FIRST(head) == 0)
#define SIMPLEQ_INIT(head) do { \
    SIMPLEQ_FIRST(head) = 0; \
    (head)->sqh_last = &SIMPLEQ_FIRST(head); \
  } while (0)
#define SIMPLEQ_INSERT_HEAD(head, one, link) do { \
    if ((SIMPLEQ_NEXT(one, link) = SIMPLEQ_FIRST(head)) == 0) \
      (head)->sqh_last = &SIMPLEQ_NEXT(one, link); \
    SIMPLEQ_FIRST(head) = (one); \
  } while (0)
#define SIMPLEQ_INSERT_TAIL(head, one, link) do { \
    SIMPLEQ_NEXT(one, link) = 0; \
    *(head)->sqh_last = (one); \
    (head)->sqh_last = &SIMPLEQ_NEXT(one, link); \
  } while (0)
#define SIMPLEQ_REMOVE_HEAD(head, link) do { \
    if ((SIMPLEQ_FIRST(head) = SIMPLEQ_NEXT(SIMPLEQ_FIRST(head), link)) == 0) \
      (head)->sqh_last = &SIMPLEQ_FIRST(head); \
  } while (0)
#define SIMPLEQ_FOREACH(one, head, link) for ((one) = SIMPLEQ_FIRST(head); (one); (one) = SIMPLEQ_NEXT(one, link))

/* A doubly linked queue. A head and the links of an element have the same layout, by which the one before is found. */
#define TAILQ_HEAD(name, type) struct name { struct type *tqh_first; struct type **tqh_last; }
#define TAILQ_HEAD_INITIALIZER(head) { 0, &(head).tqh_first }
#define TAILQ_ENTRY(type) struct { struct type *tqe_next; struct type **tqe_prev; }
#define TAILQ_FIRST(head) ((head)->tqh_first)
#define TAILQ_NEXT(one, link) ((one)->link.tqe_next)
#define TAILQ_END(head) 0
#define TAILQ_LAST(head, name) (*((struct name *)((head)->tqh_last))->tqh_last)
#define TAILQ_PREV(one, name, link) (*((struct name *)((one)->link.tqe_prev))->tqh_last)
#define TAILQ_EMPTY(head) (TAILQ_FIRST(head) == 0)
#define TAILQ_INIT(head) do { \
    TAILQ_FIRST(head) = 0; \
    (head)->tqh_last = &TAILQ_FIRST(head); \
  } while (0)
#define TAILQ_INSERT_HEAD(head, one, link) do { \
    if ((TAILQ_NEXT(one, link) = TAILQ_FIRST(head)) != 0) \
      TAILQ_FIRST(head)->link.tqe_prev = &TAILQ_NEXT(one, link); \
    else \
      (head)->tqh_last = &TAILQ_NEXT(one, link); \
    TAILQ_FIRST(head) = (one); \
    (one)->link.tqe_prev = &TAILQ_FIRST(head); \
  } while (0)
#define TAILQ_INSERT_TAIL(head, one, link) do { \
    TAILQ_NEXT(one, link) = 0; \
    (one)->link.tqe_prev = (head)->tqh_last; \
    *(head)->tqh_last = (one); \
    (head)->tqh_last = &TAILQ_NEXT(one, link); \
  } while (0)
#define TAILQ_INSERT_AFTER(head, at, one, link) do { \
    if ((TAILQ_NEXT(one, link) = TAILQ_NEXT(at, link)) != 0) \
      TAILQ_NEXT(one, link)->link.tqe_prev = &TAILQ_NEXT(one, link); \
    else \
      (head)->tqh_last = &TAILQ_NEXT(one, link); \
    TAILQ_NEXT(at, link) = (one); \
    (one)->link.tqe_prev = &TAILQ_NEXT(at, link); \
  } while (0)
#define TAILQ_INSERT_BEFORE(at, one, link) do { \
    (one)->link.tqe_prev = (at)->link.tqe_prev; \
    TAILQ_NEXT(one, link) = (at); \
    *(at)->link.tqe_prev = (one); \
    (at)->link.tqe_prev = &TAILQ_NEXT(one, link); \
  } while (0)
#define TAILQ_REMOVE(head, one, link) do { \
    if (TAILQ_NEXT(one, link) != 0) \
      TAILQ_NEXT(one, link)->link.tqe_prev = (one)->link.tqe_prev; \
    else \
      (head)->tqh_last = (one)->link.tqe_prev; \
    *(one)->link.tqe_prev = TAILQ_NEXT(one, link); \
  } while (0)
#define TAILQ_REPLACE(head, one, other, link) do { \
    if ((TAILQ_NEXT(other, link) = TAILQ_NEXT(one, link)) != 0) \
      TAILQ_NEXT(other, link)->link.tqe_prev = &TAILQ_NEXT(other, link); \
    else \
      (head)->tqh_last = &TAILQ_NEXT(other, link); \
    (other)->link.tqe_prev = (one)->link.tqe_prev; \
    *(other)->link.tqe_prev = (other); \
  } while (0)
#define TAILQ_CONCAT(head, more, link) do { \
    if (!TAILQ_EMPTY(more)) { \
      *(head)->tqh_last = TAILQ_FIRST(more); \
      TAILQ_FIRST(more)->link.tqe_prev = (head)->tqh_last; \
      (head)->tqh_last = (more)->tqh_last; \
      TAILQ_INIT(more); \
    } \
  } while (0)
#define TAILQ_FOREACH(one, head, link) for ((one) = TAILQ_FIRST(head); (one); (one) = TAILQ_NEXT(one, link))
#define TAILQ_FOREACH_SAFE(one, head, link, next) \
  for ((one) = TAILQ_FIRST(head); (one) && ((next) = TAILQ_NEXT(one, link), 1); (one) = (next))
#define TAILQ_FOREACH_REVERSE(one, head, name, link) \
  for ((one) = TAILQ_LAST(head, name); (one); (one) = TAILQ_PREV(one, name, link))
#define TAILQ_FOREACH_REVERSE_SAFE(one, head, name, link, next) \
  for ((one) = TAILQ_LAST(head, name); (one) && ((next) = TAILQ_PREV(one, name, link), 1); (one) = (next))
#endif
