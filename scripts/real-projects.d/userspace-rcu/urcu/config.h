// What `./configure --enable-compiler-atomic-builtins` chooses on Linux.
#define CONFIG_RCU_SMP 1
#define CONFIG_RCU_TLS __thread
#define CONFIG_RCU_HAVE_CLOCK_GETTIME 1
#define CONFIG_RCU_USE_ATOMIC_BUILTINS 1
