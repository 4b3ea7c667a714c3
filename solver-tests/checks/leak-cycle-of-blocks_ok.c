// SUCCESSFUL
#include <stdlib.h>

struct widget {
    struct widget *parent;
    struct widget *child;
};

static struct widget *new_widget(struct widget *parent)
{
    struct widget *w = malloc(sizeof *w);
    if (w == NULL)
        abort();
    w->parent = parent;
    w->child = NULL;
    if (parent != NULL)
        parent->child = w;
    return w;
}

static void close_window(struct widget *w)
{
    if (w->child == NULL)
        free(w);
    else {
        free(w->child);
        free(w);
    }
}

int main(void)
{
    struct widget *window = new_widget(NULL);
    new_widget(window);
    close_window(window);
    window = NULL;
    return 0;
}
