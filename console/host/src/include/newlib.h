/* newlib.h - what the console's C library declares without being asked, and what it has and
 * others lack. Every file of a project sees it first. Part of pica200, MIT License. */
#ifndef HOST_NEWLIB_H
#define HOST_NEWLIB_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define __sFILE _IO_FILE /* newlib's names */
#define __getline getline
#define __getdelim getdelim
#include <alloca.h>
#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* Programs look into a DIR for what libctru knows of the entry that was read last. */
typedef struct { int device; void *dirStruct; } DIR_ITER;
struct __dirstream { DIR_ITER *dirData; };

#ifdef __cplusplus
#include <string> /* which other headers of the console's C++ library include */
#include <vector>
extern "C" {
#endif
char *itoa(int value, char *to, int base), *utoa(unsigned value, char *to, int base), *strlwr(char *), *strupr(char *), *strnstr(const char *, const char *, size_t); /* text.c */
#ifdef __cplusplus
}
#endif

#if defined __GLIBC__ && (__GLIBC__ < 2 || (__GLIBC__ == 2 && __GLIBC_MINOR__ < 38))
static inline size_t strlcpy(char *to, const char *from, size_t room) {
    size_t n = strlen(from), some = n < room ? n : room ? room - 1 : 0;
    if (room) memcpy(to, from, some), to[some] = 0;
    return n;
}
static inline size_t strlcat(char *to, const char *from, size_t room) {
    size_t n = strnlen(to, room);
    return n + (n < room ? strlcpy(to + n, from, room - n) : strlen(from));
}
#endif
#endif
