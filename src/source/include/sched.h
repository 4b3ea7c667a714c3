#ifndef __SELVEDGE_SCHED_H
#define __SELVEDGE_SCHED_H
#include <sys/types.h>
#include <time.h>
#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
struct sched_param { int sched_priority; };
extern int sched_yield(void);
extern int sched_get_priority_max(int policy);
extern int sched_get_priority_min(int policy);
#define SCHED_BATCH 3
#define SCHED_IDLE 5
#define CPU_SETSIZE 1024
typedef struct { unsigned long __bits[CPU_SETSIZE / (8 * sizeof(unsigned long))]; } cpu_set_t;
#define CPU_ZERO(set) ((void)(*(set) = (cpu_set_t){ { 0 } }))
#define __SELVEDGE_CPU_BITS (8 * sizeof(unsigned long))
#define CPU_SET(cpu, set) ((void)((set)->__bits[(cpu) / __SELVEDGE_CPU_BITS] |= 1ul << ((cpu) % __SELVEDGE_CPU_BITS)))
#define CPU_CLR(cpu, set) ((void)((set)->__bits[(cpu) / __SELVEDGE_CPU_BITS] &= ~(1ul << ((cpu) % __SELVEDGE_CPU_BITS))))
#define CPU_ISSET(cpu, set) (((set)->__bits[(cpu) / __SELVEDGE_CPU_BITS] >> ((cpu) % __SELVEDGE_CPU_BITS)) & 1)
extern int sched_setscheduler(pid_t pid, int policy, const struct sched_param *param);
extern int sched_getscheduler(pid_t pid);
extern int sched_setparam(pid_t pid, const struct sched_param *param);
extern int sched_getparam(pid_t pid, struct sched_param *param);
extern int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set);
extern int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set);
extern int sched_getcpu(void);
extern int __sched_cpucount(size_t size, const cpu_set_t *set);
#define CPU_COUNT(set) __sched_cpucount(sizeof(cpu_set_t), (set))
extern int sched_rr_get_interval(pid_t pid, struct timespec *interval);
#endif
