// What `./configure` chooses on Linux: atomic operations in x86 assembly.
#define CONFIG_RCU_SMP 1
#define CONFIG_RCU_TLS __thread
#define CONFIG_RCU_HAVE_CLOCK_GETTIME 1
