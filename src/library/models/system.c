/* Limits, schedulers, calendars, pipes and events (POSIX, Linux): what the system says is any value that it may be, and it may refuse. */
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned long __VERIFIER_nondet_ulong(void);

/* -1 with any error, or 0. */
static int __selvedge_done(void) {
  if (__VERIFIER_nondet_bool())
    return 0;
  int error = __VERIFIER_nondet_int();
  __VERIFIER_assume(error > 0 && error < 134);
  *__errno_location() = error;
  return -1;
}

/* An error number, or 0, as functions of threads return it. */
static int __selvedge_error(void) {
  int error = __VERIFIER_nondet_int();
  __VERIFIER_assume(error >= 0 && error < 134);
  return error;
}

static int __selvedge_between(int least, int most) {
  int value = __VERIFIER_nondet_int();
  __VERIFIER_assume(least <= value && value <= most);
  return value;
}

struct __selvedge_limits {
  unsigned long soft, hard;
};

int getrlimit(int resource, struct __selvedge_limits *limits) {
  if (__selvedge_done())
    return -1;
  unsigned long soft = __VERIFIER_nondet_ulong(), hard = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(FAULT(LIMIT_EXCEEDED, 1, soft <= hard));
  limits->soft = soft;
  limits->hard = hard;
  return 0;
}
int setrlimit(int resource, const struct __selvedge_limits *limits) {
  if (limits->soft > limits->hard) {
    *__errno_location() = EINVAL;
    return -1;
  }
  return __selvedge_done();
}

/* Processors that a thread may run on: a set of bits, by words. */
static void __selvedge_processors(size_t bytes, unsigned long *set) {
  for (size_t at = 0; at < bytes / sizeof *set; at++)
    set[at] = __VERIFIER_nondet_ulong();
}
int sched_getaffinity(int process, size_t bytes, unsigned long *set) {
  if (__selvedge_done())
    return -1;
  __selvedge_processors(bytes, set);
  return 0;
}
int sched_setaffinity(int process, size_t bytes, const unsigned long *set) { return __selvedge_done(); }
int pthread_getaffinity_np(unsigned long thread, size_t bytes, unsigned long *set) {
  int error = __selvedge_error();
  if (!error)
    __selvedge_processors(bytes, set);
  return error;
}

int sched_setscheduler(int process, int policy, const int *priority) { return __selvedge_done(); }
int sched_setparam(int process, const int *priority) { return __selvedge_done(); }
int sched_getparam(int process, int *priority) {
  if (__selvedge_done())
    return -1;
  *priority = __selvedge_between(0, 99);
  return 0;
}

/* A date; members of the GNU C library behind these are not set. */
struct __selvedge_date {
  int second, minute, hour, day, month, year, weekday, day_of_year, summer;
};
/* The one that all threads share. */
extern struct __selvedge_date *__selvedge_date(void);

static struct __selvedge_date *__selvedge_calendar(const long *time, struct __selvedge_date *date) {
  long now = *time;
  if (__selvedge_done())
    return 0;
  date->second = __selvedge_between(0, 60);
  date->minute = __selvedge_between(0, 59);
  date->hour = __selvedge_between(0, 23);
  date->day = __selvedge_between(1, 31);
  date->month = __selvedge_between(0, 11);
  date->year = __VERIFIER_nondet_int();
  date->weekday = __selvedge_between(0, 6);
  date->day_of_year = __selvedge_between(0, 365);
  date->summer = __selvedge_between(-1, 1);
  return date;
}
struct __selvedge_date *gmtime_r(const long *time, struct __selvedge_date *date) { return __selvedge_calendar(time, date); }
struct __selvedge_date *localtime_r(const long *time, struct __selvedge_date *date) { return __selvedge_calendar(time, date); }
struct __selvedge_date *gmtime(const long *time) { return __selvedge_calendar(time, __selvedge_date()); }
struct __selvedge_date *localtime(const long *time) { return __selvedge_calendar(time, __selvedge_date()); }

/* Two numbers of open files that differ. */
static int __selvedge_ends(int *ends) {
  if (__selvedge_done())
    return -1;
  int one = __VERIFIER_nondet_int(), other = __VERIFIER_nondet_int();
  __VERIFIER_assume(one >= 0 && other >= 0 && FAULT(ENDS_SAME, 1, one != other));
  ends[0] = one;
  ends[1] = other;
  return 0;
}
int pipe(int *ends) { return __selvedge_ends(ends); }
int pipe2(int *ends, int flags) { return __selvedge_ends(ends); }
int socketpair(int domain, int type, int protocol, int *ends) { return __selvedge_ends(ends); }

/* What has happened at some of them, or nothing before time is up, if it ever is; at negative numbers nothing happens. */
struct __selvedge_pollfd {
  int file;
  short events, happened;
};
int poll(struct __selvedge_pollfd *files, unsigned long count, int milliseconds) {
  enum { UNASKED = 8 | 16 | 32 };
  int ready = 0;
  if (__selvedge_done())
    return -1;
  for (unsigned long at = 0; at < count; at++) {
    short happened = files[at].file < 0 ? 0 : (short)(__VERIFIER_nondet_int() & (files[at].events | UNASKED));
    files[at].happened = FAULT(EVENTS_UNASKED, (short)__VERIFIER_nondet_int(), happened);
    ready += files[at].happened != 0;
  }
  __VERIFIER_assume(ready > 0 || milliseconds >= 0);
  return ready;
}

/* What is registered comes back from functions that are not modelled. */
int epoll_ctl(int set, int operation, int file, const void *event) { return __selvedge_done(); }

/* Times and counts, each from zero on. */
int getrusage(int who, long *usage) {
  enum { COUNTS = 18 };
  if (__selvedge_done())
    return -1;
  for (int at = 0; at < COUNTS; at++) {
    long count = (long)__VERIFIER_nondet_ulong();
    __VERIFIER_assume(count >= 0);
    usage[at] = count;
  }
  return 0;
}
