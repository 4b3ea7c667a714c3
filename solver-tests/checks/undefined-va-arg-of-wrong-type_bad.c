// FAILED undefined at 11: va_arg reads a double where an int was passed
#include <stdarg.h>
#include <stdio.h>

static double sum(const char *types, ...)
{
    double total = 0;
    va_list ap;
    va_start(ap, types);
    for (const char *t = types; *t != '\0'; t++) {
        total += va_arg(ap, double);
    }
    va_end(ap);
    return total;
}

int main(void)
{
    double first = sum("d", 1.5);
    double second = sum("di", 2.5, 2);
    printf("%d\n", first < second);
    return 0;
}
