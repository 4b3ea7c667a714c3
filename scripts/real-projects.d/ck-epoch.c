// A reader looks at an object within an epoch; another thread takes it away, waits for the readers, and frees it.
#include <assert.h>
#include <stdlib.h>
#include <ck_epoch.h>

static ck_epoch_t epoch;
static ck_epoch_record_t records[2];
static int *published;
