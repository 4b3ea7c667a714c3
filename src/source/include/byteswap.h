/* Bytes in the other order (GNU). */
#ifndef __SELVEDGE_BYTESWAP_H
#define __SELVEDGE_BYTESWAP_H
#include <stdint.h>
#define bswap_16(x) ((uint16_t)((((uint16_t)(x)) >> 8) | (((uint16_t)(x)) << 8)))
static inline uint32_t bswap_32(uint32_t x) {
  return (x >> 24) | ((x >> 8) & 0xff00u) | ((x << 8) & 0xff0000u) | (x << 24);
}
static inline uint64_t bswap_64(uint64_t x) {
  return ((uint64_t)bswap_32((uint32_t)x) << 32) | bswap_32((uint32_t)(x >> 32));
}
#endif
