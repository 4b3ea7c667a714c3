#ifndef COUNTER_H
#define COUNTER_H
extern int counter;
void add(int n);
void check(int expected);
#endif
