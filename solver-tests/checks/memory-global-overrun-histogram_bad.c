// FAILED memory at 13: overrun of a global array, the best score has no bucket
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

#define BUCKETS 4

static int histogram[BUCKETS];

static void record(int score)
{
    int bucket = score / 25;
    histogram[bucket]++;
}

int main(void)
{
    int score = __VERIFIER_nondet_int();
    if (score < 0 || score > 100)
        return 1;
    record(score);
    record(40);
    printf("%d\n", histogram[1]);
    return 0;
}
