// SUCCESSFUL
#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int load(int version)
{
    int rc = -1;
    char *header = malloc(8);
    if (header == NULL)
        return rc;
    header[0] = (char)version;
    if (header[0] != 3)
        goto out;
    rc = 0;
out:
    free(header);
    return rc;
}

int main(void)
{
    int version = __VERIFIER_nondet_int();
    if (version < 2 || version > 3)
        return 1;
    int rc = load(version);
    printf("%d\n", rc);
    return 0;
}
