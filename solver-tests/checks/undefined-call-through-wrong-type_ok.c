// SUCCESSFUL
#include <stdio.h>

typedef int (*handler)(int code, int detail);

static int on_error(int code, int detail)
{
    return code + detail;
}

static int on_idle(int code, int detail)
{
    return 0;
}

static int dispatch(handler h, int code)
{
    return h(code, 1);
}

int main(void)
{
    int a = dispatch(on_error, 4);
    int b = dispatch(on_idle, 0);
    printf("%d %d\n", a, b);
    return 0;
}
