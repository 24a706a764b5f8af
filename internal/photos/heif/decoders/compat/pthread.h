// What libde265 and dav1d use of POSIX threads, for a program that has one thread. They start no others.
#ifndef PTHREAD_H
#define PTHREAD_H

#include <errno.h>
#include <stddef.h>
#include <sys/types.h> // pthread_t and the other types
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PTHREAD_ONCE_INIT 0
#define PTHREAD_MUTEX_INITIALIZER {}
#define PTHREAD_COND_INITIALIZER {}

#define ONE_THREAD(name, ...) \
  static inline int name(__VA_ARGS__) { return 0; }

ONE_THREAD(pthread_mutex_init, pthread_mutex_t *m, const pthread_mutexattr_t *a)
ONE_THREAD(pthread_mutex_destroy, pthread_mutex_t *m)
ONE_THREAD(pthread_mutex_lock, pthread_mutex_t *m)
ONE_THREAD(pthread_mutex_unlock, pthread_mutex_t *m)
ONE_THREAD(pthread_cond_init, pthread_cond_t *c, const pthread_condattr_t *a)
ONE_THREAD(pthread_cond_destroy, pthread_cond_t *c)
ONE_THREAD(pthread_cond_signal, pthread_cond_t *c)
ONE_THREAD(pthread_cond_broadcast, pthread_cond_t *c)
ONE_THREAD(pthread_attr_init, pthread_attr_t *a)
ONE_THREAD(pthread_attr_destroy, pthread_attr_t *a)
ONE_THREAD(pthread_attr_setstacksize, pthread_attr_t *a, size_t size)
ONE_THREAD(pthread_join, pthread_t t, void **result)

// Waiting for another thread would take forever.
static inline int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) { __builtin_trap(); }

static inline int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until) {
  return ETIMEDOUT;
}

static inline int pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*start)(void *), void *argument) {
  return EAGAIN;
}

static inline int pthread_once(pthread_once_t *once, void (*init)(void)) {
  if (!*once) {
    *once = 1;
    init();
  }
  return 0;
}

#ifdef __cplusplus
}
#endif

#endif
