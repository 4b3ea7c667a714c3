/* A lock-free stack of nodes in an array, linked by index. pop() reads the successor of the top and then swings the
 * top to it; push() puts the same node back at once. If a thread is interrupted between the two steps of pop() while
 * the other pops two nodes and pushes the first again, the top is the same but its successor is not: the second
 * node is handed out twice (the ABA problem). Expected is a violation; each node has one owner at most. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define NODES 3
#define EMPTY (-1)

atomic_int top;
atomic_int next[NODES];
atomic_int owners[NODES];

int pop(void) {
  int node = atomic_load(&top);
  if (node == EMPTY)
    return EMPTY;
  int successor = atomic_load(&next[node]);
  if (!atomic_compare_exchange_strong(&top, &node, successor))
    return EMPTY; /* somebody was faster: give up */
  assert(atomic_fetch_add(&owners[node], 1) == 0);
  return node;
}

void push(int node) {
  atomic_fetch_sub(&owners[node], 1);
  int old = atomic_load(&top);
  atomic_store(&next[node], old);
  atomic_compare_exchange_strong(&top, &old, node); /* on failure the node is lost, which is safe */
}

/* Takes one node and keeps it. */
void *take(void *unused) {
  pop();
  return NULL;
}

/* Takes two nodes and gives the first one back, then takes twice more. */
void *shuffle(void *unused) {
  int first = pop();
  int second = pop();
  if (first != EMPTY && second != EMPTY) {
    push(first);
    pop();
    pop();
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  atomic_init(&top, 0);
  for (int i = 0; i < NODES; i++)
    atomic_init(&next[i], i + 1 < NODES ? i + 1 : EMPTY);
  pthread_create(&a, NULL, take, NULL);
  pthread_create(&b, NULL, shuffle, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
