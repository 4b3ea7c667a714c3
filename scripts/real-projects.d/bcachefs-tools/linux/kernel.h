#include <stdbool.h>
#include <stddef.h>
#define container_of(at, type, member) ((type *)((char *)(at) - offsetof(type, member)))
#define member_address_is_nonnull(at, member) ((size_t)(at) + offsetof(typeof(*(at)), member) != 0)
