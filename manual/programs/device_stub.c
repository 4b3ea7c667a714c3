// A body for it.
int device_status(void) {
    return 1;
}
