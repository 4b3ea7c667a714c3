/* Unicode utilities (C11 7.28). */
#ifndef __SELVEDGE_UCHAR_H
#define __SELVEDGE_UCHAR_H
#include <stddef.h>
#include <wchar.h>
typedef __CHAR16_TYPE__ char16_t;
typedef __CHAR32_TYPE__ char32_t;
extern size_t mbrtoc16(char16_t *to, const char *from, size_t size, mbstate_t *state);
extern size_t c16rtomb(char *to, char16_t c, mbstate_t *state);
extern size_t mbrtoc32(char32_t *to, const char *from, size_t size, mbstate_t *state);
extern size_t c32rtomb(char *to, char32_t c, mbstate_t *state);
#endif
