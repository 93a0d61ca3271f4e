/* host.h - declarations that the files of the host share. A program for the console that
 * is linked with these files runs on a PC; libpica200 is its GPU (docs/HOST.md).
 *
 * Only one thread of the program runs at a time. Another one continues only when the
 * running one waits, so all runs are alike. Time is that of the console's clock, which
 * advances when the program waits or reads it. Part of pica200, MIT License.
 */
#ifndef HOST_H
#define HOST_H

#include <3ds.h>
#include <pica200.h>

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

enum {
    HOST_FCRAM = 128 << 20,
    HOST_VRAM = 6 << 20,
    HOST_LINEAR = 32 << 20,      /* part of FCRAM for linearAlloc */
    HOST_HEAP = 64 << 20,        /* for malloc */
    HOST_TICKS_FRAME = 4481136,  /* of 268,111,856 a second */
    HOST_TICKS_ASKED = 268,      /* added when the program reads the time: a microsecond */
};

typedef struct {
    const char *name; /* the program, in messages */
    long frames;      /* the program ends after this many; 0: no limit */
    long every;       /* write pictures of every Nth frame; 0: of the last only */
    const char *png, *record, *keys, *romfs, *sdmc, *font;
    float slider;     /* position of the 3D slider, 0 to 1 */
    bool window;
    int timeout;      /* most seconds of a frame; 0: no limit */
    int workers;
} host_options;
extern host_options host_option;
extern pica200_gpu *host_gpu;
extern volatile long host_frame; /* number of frames that have ended */
extern bool host_closing;        /* all frames were run; the program should end now */

/* Prints the program's name, a message and the place in the program, and exits with
 * status 1. */
_Noreturn void host_stop(const void *where, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define HOST_CALLER __builtin_return_address(0)
/* Called in place of functions that the host lacks; ends with host_stop. */
_Noreturn void host_missing(const char *name, const void *caller);

/* memory.c */
void host_changed(uint32_t physical, uint32_t bytes); /* the program may have written there */
void host_drawn(uint32_t physical, uint32_t bytes);   /* the GPU wrote there */
void *host_pointer(u32 address);                      /* that a program made a number of */

/* thread.c: waits until ready(what) is true, or for at most ns nanoseconds unless ns is
 * negative. Returns ready(what). */
bool host_wait(bool (*ready)(void *), void *what, int64_t ns);
bool host_wait_until(bool (*ready)(void *), void *what, uint64_t ticks);
uint64_t host_clock(void);
pthread_t host_running(void);
Thread host_thread(void);
Handle host_thread_handle(void);

/* kernel.c: handles. host_data returns NULL unless the handle is of that kind. */
enum host_kind { HOST_EVENT, HOST_MUTEX, HOST_SEMAPHORE, HOST_TIMER, HOST_THREAD, HOST_LAST_TO_WAIT_FOR = HOST_THREAD, HOST_MEMORY, HOST_ARBITER, HOST_FILE, HOST_FOLDER };
Handle host_handle(enum host_kind kind, void *data, void (*close)(void *));
void *host_data(Handle handle, enum host_kind kind);
Handle host_thread_begins(Thread);
void host_thread_ends(Handle, Thread);

/* files.c */
FILE *__real_fopen(const char *, const char *);
int __real_mkdir(const char *, mode_t);
void host_card_away(void); /* removes the card that is there without --sdmc */

/* gsp.c */
void host_interrupts(void); /* delivers the interrupts of finished commands */
void host_vblank(void);

/* window.c */
void host_window_open(void);
bool host_window_frame(bool stereo);
void host_window_keys(u32 *keys, touchPosition *, circlePosition *);

/* run.c, system.c */
void host_frame_ends(bool stereo);
void host_keys_load(const char *path);
const char *host_text(void); /* the next text of the script for the software keyboard, or NULL */
void host_hooks(APT_HookType);
#endif
