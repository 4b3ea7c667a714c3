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

/* The handlers 0 and 1 are no functions: `SIG_DFL` and `SIG_IGN`; -1 is an error, `SIG_ERR`. `abort` runs the handler of its signal. */
int __selvedge_sigaction(int number, int changes, void *handler, void **old) {
  if (!__selvedge_is_signal(number) || changes && (number == SIGKILL || number == SIGSTOP))
    return __selvedge_no_signal();
  if (changes && number == SIGABRT && handler != (void *)0 && handler != (void *)1)
    __selvedge_handler_of_abort();
  __selvedge_begin();
  void *before = __selvedge_actions()[number - 1];
  if (changes)
    __selvedge_actions()[number - 1] = handler;
  __VERIFIER_atomic_end();
  if (old)
    *old = before;
  return 0;
}
void *signal(int number, void *handler) {
  void *before = (void *)0;
  if (handler == (void *)-1) {
    __selvedge_no_signal();
    return handler;
  }
  return __selvedge_sigaction(number, 1, handler, &before) ? (void *)-1 : before;
}
