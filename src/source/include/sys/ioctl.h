/* Requests to devices (Linux). */
#ifndef __SELVEDGE_SYS_IOCTL_H
#define __SELVEDGE_SYS_IOCTL_H
struct winsize { unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel; };
#define TIOCEXCL 0x540C
#define TIOCSCTTY 0x540E
#define TIOCGPGRP 0x540F
#define TIOCSPGRP 0x5410
#define TIOCOUTQ 0x5411
#define TIOCGWINSZ 0x5413
#define TIOCSWINSZ 0x5414
#define TIOCMGET 0x5415
#define TIOCMSET 0x5418
#define FIONREAD 0x541B
#define TIOCINQ FIONREAD
#define FIONBIO 0x5421
#define TIOCNOTTY 0x5422
#define FIONCLEX 0x5450
#define FIOCLEX 0x5451
#define FIOASYNC 0x5452
#define _IOC_NONE 0u
#define _IOC_WRITE 1u
#define _IOC_READ 2u
#define _IOC(dir, type, number, size) (((dir) << 30) | ((size) << 16) | ((type) << 8) | (number))
#define _IO(type, number) _IOC(_IOC_NONE, (type), (number), 0)
#define _IOR(type, number, what) _IOC(_IOC_READ, (type), (number), sizeof(what))
#define _IOW(type, number, what) _IOC(_IOC_WRITE, (type), (number), sizeof(what))
#define _IOWR(type, number, what) _IOC(_IOC_READ | _IOC_WRITE, (type), (number), sizeof(what))
extern int ioctl(int fd, unsigned long request, ...);
#endif
