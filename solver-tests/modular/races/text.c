// race
// What a model of the library reads counts as read.
#include <pthread.h>
#include <string.h>
char text[4] = "ab";
void *t(void *arg) {
    for (;;)
        text[1] = 'c';
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, t, 0);
    unsigned long n = 0;
    for (;;)
        n += strlen(text);
}
