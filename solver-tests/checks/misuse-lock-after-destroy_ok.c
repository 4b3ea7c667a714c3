// SUCCESSFUL
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

static pthread_mutex_t lock;
static bool is_open;
static int lines;

static void log_open(void)
{
    pthread_mutex_init(&lock, NULL);
    is_open = true;
}

static void log_line(void)
{
    if (!is_open)
        return;
    pthread_mutex_lock(&lock);
    lines++;
    pthread_mutex_unlock(&lock);
}

static void log_close(void)
{
    is_open = false;
    pthread_mutex_destroy(&lock);
}

int main(void)
{
    log_open();
    log_line();
    log_close();
    log_line();
    printf("%d %d\n", lines, is_open);
    return 0;
}
