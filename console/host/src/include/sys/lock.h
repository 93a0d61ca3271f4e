/* sys/lock.h - the locks that libctru's headers expect of the C library. Part of pica200,
 * MIT License. */
#ifndef HOST_SYS_LOCK_H
#define HOST_SYS_LOCK_H
#include <stdint.h>
typedef int32_t _LOCK_T;
typedef struct {
    int32_t lock;
    uint32_t thread_tag, counter;
} _LOCK_RECURSIVE_T;
typedef uint32_t _COND_T;
#endif
