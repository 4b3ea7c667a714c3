
/* Formatted output to memory (C11 7.21.6.5). The arguments lie in an area, one after the other at multiples of a
 * word, each behind a word that says what it is. Conversions of floating-point numbers, `%p` and `%n` are refused where they are reached. */
extern void __selvedge_refuse_conversion(void);

/* Puts a character where there is room for it and the final zero. */
static size_t __selvedge_put(char *to, size_t size, size_t at, char c) {
  if (at + 1 < size)
    to[at] = c;
  return at + 1;
}

static size_t __selvedge_pad(char *to, size_t size, size_t at, long count, char c) {
  for (; count > 0; count--)
    at = __selvedge_put(to, size, at, c);
  return at;
}

/* The digits of a number below `top` times the base, at least `least` of them; `top` is a power of the base. */
static size_t __selvedge_put_number(char *to, size_t size, size_t at, unsigned long long value, unsigned base,
                                    unsigned long long top, char ten, long left) {
  int begun = 0;
  for (; top; top /= base) {
    unsigned digit = (unsigned)(value / top % base);
    if (digit || begun || left > 0 && top == 1) {
      begun = 1;
      at = __selvedge_put(to, size, at, (char)(digit < 10 ? '0' + digit : ten + (digit - 10)));
    }
  }
  return at;
}

int __selvedge_format(char *to, size_t size, const char *format, const unsigned char *area) {
  size_t at = 0, word = sizeof(size_t);
  for (; *format; format++) {
    if (*format != '%') {
      at = __selvedge_put(to, size, at, *format);
      continue;
    }
    format++;
    int minus = 0, zero = 0, plus = 0, space = 0, hash = 0, wide = 0, negative = 0;
    for (;; format++) {
      if (*format == '-')
        minus = 1;
      else if (*format == '0')
        zero = 1;
      else if (*format == '+')
        plus = 1;
      else if (*format == ' ')
        space = 1;
      else if (*format == '#')
        hash = 1;
      else
        break;
    }
    long width = 0, precision = -1;
    if (*format == '*') {
      width = *(const int *)(area + word);
      area += 2 * word;
      format++;
      if (width < 0) {
        minus = 1;
        width = -width;
      }
    } else {
      for (; *format >= '0' && *format <= '9'; format++)
        width = width * 10 + (*format - '0');
    }
    if (*format == '.') {
      format++;
      precision = 0;
      if (*format == '*') {
        precision = *(const int *)(area + word);
        area += 2 * word;
        format++;
      } else {
        for (; *format >= '0' && *format <= '9'; format++)
          precision = precision * 10 + (*format - '0');
      }
    }
    /* The size of the argument in bytes; what is smaller than an int comes as one. */
    size_t bytes = sizeof(int), kept = sizeof(int);
    if (*format == 'h') {
      kept = 2;
      if (*++format == 'h') {
        kept = 1;
        format++;
      }
    } else if (*format == 'l') {
      kept = bytes = sizeof(long);
      if (*++format == 'l') {
        kept = bytes = 8;
        format++;
      }
    } else if (*format == 'j' || *format == 'q') {
      kept = bytes = 8;
      format++;
    } else if (*format == 'z' || *format == 't') {
      kept = bytes = sizeof(size_t);
      format++;
    }
    char c = *format;
    if (c == '%') {
      at = __selvedge_put(to, size, at, '%');
    } else if (c == 'c' && bytes == sizeof(int)) {
      if (!minus)
        at = __selvedge_pad(to, size, at, width - 1, ' ');
      at = __selvedge_put(to, size, at, (char)*(const int *)(area + word));
      if (minus)
        at = __selvedge_pad(to, size, at, width - 1, ' ');
      area += 2 * word;
    } else if (c == 's' && bytes == sizeof(int)) {
      const char *text = *(const char *const *)(area + word);
      area += 2 * word;
      long n = 0;
      if (width > 0)
        while ((precision < 0 || n < precision) && text[n])
          n++;
      if (!minus)
        at = __selvedge_pad(to, size, at, width - n, ' ');
      for (long i = 0; (precision < 0 || i < precision) && text[i]; i++)
        at = __selvedge_put(to, size, at, text[i]);
      if (minus)
        at = __selvedge_pad(to, size, at, width - n, ' ');
    } else if (c == 'd' || c == 'i' || c == 'u' || c == 'x' || c == 'X' || c == 'o') {
      int is_signed = c == 'd' || c == 'i';
      unsigned base = c == 'o' ? 8 : c == 'x' || c == 'X' ? 16 : 10;
      unsigned long long value;
      if (bytes == 8) {
        value = *(const __selvedge_any8 *)(area + word);
        area += word + 8;
      } else {
        area += word;
        value = is_signed ? (unsigned long long)*(const int *)area : *(const unsigned *)area;
        area += word;
      }
      if (kept == 1)
        value = is_signed ? (unsigned long long)(signed char)value : (unsigned char)value;
      else if (kept == 2)
        value = is_signed ? (unsigned long long)(short)value : (unsigned short)value;
      if (is_signed && (long long)value < 0) {
        negative = 1;
        value = -value;
      }
      unsigned long long top = 1;
      wide = bytes == 8;
      if (base == 10)
        top = wide ? 10000000000000000000ull : 1000000000ull;
      else if (base == 16)
        top = wide ? 1ull << 60 : 1ull << 28;
      else
        top = wide ? 1ull << 63 : 1ull << 30;
      long digits = 0, prefix = 0;
      char sign = negative ? '-' : plus ? '+' : ' ';
      if (is_signed && (negative || plus || space))
        prefix = 1;
      if (hash && base == 16 && value)
        prefix = 2;
      if (width > 0 || precision > 0 || hash)
        for (unsigned long long power = top; power; power /= base)
          if (value >= power)
            digits++;
      long least = precision < 0 ? 1 : precision;
      if (hash && base == 8 && least <= digits)
        least = digits + 1;
      long zeros = least > digits ? least - digits : 0;
      long room = width - prefix - digits - zeros;
      if (FAULT(ZEROS_LOST, 0, precision < 0 && zero && !minus && room > 0)) {
        zeros += room;
        room = 0;
      }
      /* A zero is among the padding where that was counted. */
      long own = !(width > 0 || precision > 0 || hash) && precision < 0;
      if (own)
        zeros = 0;
      if (!minus)
        at = __selvedge_pad(to, size, at, room, ' ');
      if (prefix == 1)
        at = __selvedge_put(to, size, at, sign);
      if (prefix == 2) {
        at = __selvedge_put(to, size, at, '0');
        at = __selvedge_put(to, size, at, c);
      }
      at = __selvedge_pad(to, size, at, zeros, '0');
      at = __selvedge_put_number(to, size, at, value, base, top, c == 'X' ? 'A' : 'a', own);
      if (minus)
        at = __selvedge_pad(to, size, at, room, ' ');
    } else {
      __selvedge_refuse_conversion();
      return -1;
    }
  }
  if (size)
    to[at < size ? at : size - 1] = 0;
  return (int)at;
}
