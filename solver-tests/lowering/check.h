// A failing check is an assertion; a test that comes to its end calls reach_error, once, from finish.
extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
extern void reach_error(void);
#define check(...) ((__VA_ARGS__) ? (void)0 : __assert_fail(#__VA_ARGS__, __FILE__, __LINE__, __func__))
#define finish() do { reach_error(); return 0; } while (0)
