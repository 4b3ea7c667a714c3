// FAILED memory at 28: a pointer to an element is used after the vector was reallocated
#include <stdlib.h>

struct vector {
    int *data;
    int length, capacity;
};

static void append(struct vector *v, int value)
{
    if (v->length == v->capacity) {
        v->capacity = v->capacity == 0 ? 2 : v->capacity * 64;
        int *bigger = realloc(v->data, (size_t)v->capacity * sizeof *bigger);
        if (bigger == NULL)
            abort();
        v->data = bigger;
    }
    v->data[v->length++] = value;
}

int main(void)
{
    struct vector v = { NULL, 0, 0 };
    append(&v, 1);
    int *first = &v.data[0];
    append(&v, 2);
    append(&v, 3);
    *first += 10;
    free(v.data);
    return 0;
}
