// expect: bounded undefined
// names: invalid access
// A member of a node whose address nobody has set: that is no address of another node by chance, which has not been shown yet and
// whose member has not its value.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct part {
  unsigned char v;
};
struct node {
  unsigned char k;
  struct part *p;
  struct node *next;
} *shown;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *shows(void *arg) {
  struct node *n = calloc(1, sizeof *n);
  n->p = calloc(1, sizeof *n->p);
  if (shown) n->p->v = 2; else n->p->v = 1;
  pthread_mutex_lock(&m);
  shown = n;
  pthread_mutex_unlock(&m);
  n->next = shown;
  return arg;
}
void *reads(void *arg) {
  struct node *s = shown ? shown->next : 0;
  if (s) assert(s->p->v != 0);
  return arg;
}
void *leaves(void *arg) {
  struct node *n = malloc(sizeof *n);
  n->p = malloc(sizeof *n->p);
  n->p->v = 1;
  if (shown) shown->next = n; else shown = n;
  return arg;
}
int main(void) {
  pthread_t id[3];
  pthread_create(&id[0], 0, shows, 0);
  pthread_create(&id[1], 0, reads, 0);
  pthread_create(&id[2], 0, leaves, 0);
  for (int i = 0; i < 3; i++) pthread_join(id[i], 0);
}
