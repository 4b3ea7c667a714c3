// FAILED memory at 15: memcpy beyond its destination, the length field of a packet is trusted
#include <string.h>

extern int __VERIFIER_nondet_int(void);

static unsigned char wire[13];

static int receive(void)
{
    unsigned char body[8];
    size_t length = wire[0];
    if (length > sizeof wire - 1)
        return -1;
    memset(body, 0, sizeof body);
    memcpy(body, wire + 1, length);
    return body[0];
}

int main(void)
{
    int length = __VERIFIER_nondet_int();
    if (length < 0 || length > 10)
        return 1;
    wire[0] = (unsigned char)length;
    wire[1] = 'k';
    int first = receive();
    return first == 'k' || length == 0 ? 0 : 1;
}
