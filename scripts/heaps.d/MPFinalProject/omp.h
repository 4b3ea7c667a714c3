// What the project needs of OpenMP, by POSIX threads.
#include <pthread.h>

typedef pthread_mutex_t omp_lock_t;

#define omp_init_lock(lock) pthread_mutex_init(lock, NULL)
#define omp_destroy_lock(lock) pthread_mutex_destroy(lock)
#define omp_set_lock(lock) pthread_mutex_lock(lock)
#define omp_unset_lock(lock) pthread_mutex_unlock(lock)
#define omp_get_thread_num() 0
