int main(void) { return 0; } // error: `main` is defined twice
