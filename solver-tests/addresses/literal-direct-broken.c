// expect: failed
// Equal literals are compared where they stand.
#include <assert.h>
int main(void) { assert("ab" == "ab"); }
