// What `./configure --use-cc-builtins` chooses for x86-64 (address sizes: 48 bits virtual).
#define CK_MD_CACHELINE (64)
#define CK_MD_PAGESIZE (4096)
#define CK_MD_RTM_DISABLE
#define CK_MD_LSE_DISABLE
#define CK_MD_POINTER_PACK_DISABLE
#define CK_MD_SSE_ENABLE
#define CK_MD_PPC32_LWSYNC_DISABLE
#define CK_MD_VMA_BITS 48ULL
#define CK_MD_TSO
#define CK_PR_ENABLE_DOUBLE
