// A driver that calls a function of which there is only a declaration.
#include <assert.h>

extern int device_status(void);
extern void device_read(char *buffer);

int main(void) {
    int status = device_status();
    assert(status <= 1);
    return 0;
}
