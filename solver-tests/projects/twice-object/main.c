int value = 1; // error: `value` is defined twice
int main(void) { return value; }
