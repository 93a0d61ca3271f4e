/* host.h - what the files of the host share. A program for the console is built with
 * them for this machine; the GPU is libpica200 (docs/HOST.md).
 *
 * One thread of the program runs at a time, and another goes on only where the
 * one that runs waits, so that every run is like the one before. Time is that of the
 * console's clock and passes where the program waits or asks for it. Part of
 * pica200, MIT License.
 */
#ifndef HOST_H
#define HOST_H

#include <3ds.h>
#include <pica200.h>

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    HOST_FCRAM = 128 << 20,
    HOST_VRAM = 6 << 20,
    HOST_LINEAR = 32 << 20,      /* of FCRAM, for linearAlloc */
    HOST_HEAP = 64 << 20,        /* for malloc */
    HOST_TICKS_FRAME = 4481136,  /* of the clock of 268,111,856 Hz */
    HOST_TICKS_ASKED = 268,      /* that pass when the program asks for the time: a microsecond */
};

typedef struct {
    const char *name; /* of the program, for messages */
    long frames;      /* after which it ends; 0: when it wants */
    long every;       /* pictures of every so many frames; 0: of the last */
    const char *png, *record, *keys, *romfs, *sdmc, *font;
    float slider;     /* of the 3D effect, 0 to 1 */
    bool window;
    int timeout;      /* seconds that a frame may take */
    int workers;
} host_options;
extern host_options host_option;
extern pica200_gpu *host_gpu;
extern volatile long host_frame; /* that have ended */
extern bool host_closing;        /* all frames were run: the program is to end */

/* Ends the program with status 1 and a sentence, which begins with the program's
 * name and ends with where the program was. */
_Noreturn void host_stop(const void *where, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define HOST_CALLER __builtin_return_address(0)
/* Functions that are declared and not here: calls end with host_stop. */
_Noreturn void host_missing(const char *name, const void *caller);

/* memory.c */
void host_changed(uint32_t physical, uint32_t bytes); /* the program wrote there, perhaps */
void host_drawn(uint32_t physical, uint32_t bytes);   /* the GPU wrote there */

/* thread.c: waits until ready(what) or, unless ns is negative, until so many
 * nanoseconds have passed; says whether it is ready. */
bool host_wait(bool (*ready)(void *), void *what, int64_t ns);
uint64_t host_clock(void);
pthread_t host_running(void);

/* gsp.c */
void host_interrupts(void); /* hands on what the GPU has finished */
void host_vblank(void);

/* window.c */
void host_window_open(void);
bool host_window_frame(bool stereo);
void host_window_keys(u32 *keys, touchPosition *, circlePosition *);

/* run.c, system.c */
void host_frame_ends(bool stereo);
void host_keys_load(const char *path);
#endif
