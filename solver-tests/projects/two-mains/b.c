int main(void) { return 1; } // error: `main` is defined twice
