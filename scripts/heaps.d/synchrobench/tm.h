// No transactions: what the project's Makefile includes for its lock-free structures.
#include <lockfree.h>
