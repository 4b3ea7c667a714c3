/* Signals behind descriptors (Linux); not modelled. */
#ifndef __SELVEDGE_SYS_SIGNALFD_H
#define __SELVEDGE_SYS_SIGNALFD_H
#include <signal.h>
#include <stdint.h>
#define SFD_NONBLOCK 04000
#define SFD_CLOEXEC 02000000
struct signalfd_siginfo {
  uint32_t ssi_signo; int32_t ssi_errno, ssi_code; uint32_t ssi_pid, ssi_uid; int32_t ssi_fd; uint32_t ssi_tid, ssi_band;
  uint32_t ssi_overrun, ssi_trapno; int32_t ssi_status, ssi_int; uint64_t ssi_ptr, ssi_utime, ssi_stime, ssi_addr;
  uint16_t ssi_addr_lsb; uint8_t __rest[46];
};
extern int signalfd(int fd, const sigset_t *set, int flags);
#endif
