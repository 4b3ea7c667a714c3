// What the lists need of libatomic_ops, by the compiler's builtins.
#include <stddef.h>

typedef size_t AO_t;

#define AO_compare_and_swap_full(at, old, new) __sync_bool_compare_and_swap(at, old, new)
#define AO_nop_full() __sync_synchronize()
