/* sys/iosupport.h - devices for text, as libctru's console expects them of the C
 * library. Only writing is used. Part of pica200, MIT License. */
#ifndef HOST_SYS_IOSUPPORT_H
#define HOST_SYS_IOSUPPORT_H
#include <sys/types.h>
struct _reent;
enum { STD_IN, STD_OUT, STD_ERR, STD_MAX };
typedef struct {
    const char *name;
    size_t structSize;
    int (*open_r)(struct _reent *, void *, const char *, int, int);
    int (*close_r)(struct _reent *, void *);
    ssize_t (*write_r)(struct _reent *, void *, const char *, size_t);
    ssize_t (*read_r)(struct _reent *, void *, char *, size_t);
    off_t (*seek_r)(struct _reent *, void *, off_t, int);
    int (*fstat_r)(struct _reent *, void *, void *);
} devoptab_t;
extern const devoptab_t *devoptab_list[STD_MAX];
#endif
