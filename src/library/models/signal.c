/* Signals (POSIX; `signal.rs`): sets, masks, and what is installed. */

/* A set is bits, signal 1 first. In other libraries it is longer than that, and what is behind means nothing. */
struct __selvedge_signals { __selvedge_any8 bits; };
enum { SIGNALS = 64, SIGABRT = 6, SIGKILL = 9, SIGSTOP = 19 };
extern void **__selvedge_actions(void);
extern void __selvedge_handler_of_abort(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);

static int __selvedge_no_signal(void) {
  *__errno_location() = EINVAL;
  return -1;
}
static int __selvedge_is_signal(int number) { return number >= 1 && number <= SIGNALS; }
static unsigned long long __selvedge_signal_bit(int number) { return 1ULL << (number - 1); }

int sigemptyset(struct __selvedge_signals *set) {
  set->bits = 0;
  return 0;
}
int sigfillset(struct __selvedge_signals *set) {
  set->bits = ~0ULL;
  return 0;
}
int sigaddset(struct __selvedge_signals *set, int number) {
  if (!__selvedge_is_signal(number))
    return __selvedge_no_signal();
  set->bits |= __selvedge_signal_bit(number);
  return 0;
}
int sigdelset(struct __selvedge_signals *set, int number) {
  if (!__selvedge_is_signal(number))
    return __selvedge_no_signal();
  set->bits &= ~__selvedge_signal_bit(number);
  return 0;
}
int sigismember(const struct __selvedge_signals *set, int number) {
  if (!__selvedge_is_signal(number))
    return __selvedge_no_signal();
  return (set->bits & __selvedge_signal_bit(number)) != 0;
}

/* The mask of a thread holds back what never comes; who asks for it learns any. */
int pthread_sigmask(int how, const struct __selvedge_signals *set, struct __selvedge_signals *old) {
  __selvedge_any8 bits = set ? set->bits : 0;
  if (set && (how < 0 || how > 2))
    return EINVAL;
  if (old)
    old->bits = __VERIFIER_nondet_ulonglong();
  return 0;
}
int sigprocmask(int how, const struct __selvedge_signals *set, struct __selvedge_signals *old) {
  return pthread_sigmask(how, set, old) ? __selvedge_no_signal() : 0;
}

static int __selvedge_may_act(int number, int changes) {
  return __selvedge_is_signal(number) && !(changes && (number == SIGKILL || number == SIGSTOP));
}

/* What was installed before. The handlers 0 and 1, `SIG_DFL` and `SIG_IGN`, are no functions. `abort` runs that of its signal. */
static void *__selvedge_install(int number, int changes, void *handler) {
  if (changes && number == SIGABRT && handler != (void *)0 && handler != (void *)1)
    __selvedge_handler_of_abort();
  __selvedge_begin();
  void *before = __selvedge_actions()[number - 1];
  if (changes)
    __selvedge_actions()[number - 1] = handler;
  __VERIFIER_atomic_end();
  return before;
}

int __selvedge_sigaction(int number, int changes, void *handler, void **old) {
  if (!__selvedge_may_act(number, changes))
    return __selvedge_no_signal();
  void *before = __selvedge_install(number, changes, handler);
  if (old)
    *old = before;
  return 0;
}
/* The handler -1 is an error: `SIG_ERR`. */
void *signal(int number, void *handler) {
  if (handler != (void *)-1 && __selvedge_may_act(number, 1))
    return __selvedge_install(number, 1, handler);
  __selvedge_no_signal();
  return (void *)-1;
}
