// The mutex of the structure is released by a function, through another pointer, or by others.
#include <pthread.h>
#include <stdlib.h>
struct node { pthread_mutex_t m; int a; };
struct other { pthread_mutex_t m; int a; };
struct third { pthread_mutex_t m; int a; };
struct node *one;
struct other *two;
struct third *three;
void release(void) { pthread_mutex_unlock(&one->m); }
void *f(void *p) {
  struct node *n = one;
  pthread_mutex_lock(&n->m);
  release();
  n->a++; // open
  struct other *o = two, *same = two;
  pthread_mutex_lock(&o->m);
  pthread_mutex_unlock(&same->m);
  o->a++; // open
  struct third *t = three;
  pthread_mutex_lock(&t->m);
  t->a++; // open
  pthread_mutex_unlock(&t->m);
  return 0;
}
void *g(void *p) {
  struct third *t = three;
  pthread_mutex_unlock(&t->m);
  return 0;
}
int main(void) {
  pthread_t t, u;
  one = malloc(sizeof *one);
  two = malloc(sizeof *two);
  three = malloc(sizeof *three);
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, g, 0);
  f(0);
  return 0;
}
