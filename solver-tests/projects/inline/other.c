#include "small.h"
extern inline int twice(int n);
int other(int n) { return twice(n); }
