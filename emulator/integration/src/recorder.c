/* recorder.c - records an emulator's GPU commands, with pica200_record.h.
 *
 *   PICA200_RECORD=game.picatrace   the file; without it nothing is recorded. The second
 *                                   console of the same process writes game-2.picatrace,
 *                                   and so on. A console that restarts before its first
 *                                   command continues in the same file.
 *   PICA200_RECORD_FRAMES=600       ends the recording after this number of frames
 *   PICA200_RECORD_TRACK=1          tracks writes instead of comparing memory
 *
 * Recording starts with the console. Part of pica200, MIT License.
 */
#define PICA200_RECORD_IMPLEMENTATION
#include "pica200_record.h"
#include "pica200_hooks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint32_t left[2], right[2], format, stride;
    int shown, known;
} hooks_screen;

static pica200_recorder *recorder;
static hooks_screen screens[2];
static long frames_left; /* 0: no limit */
static int consoles, used; /* used: the console executed a command */

static int hooks_records(void) {
    used = 1;
    return recorder != NULL;
}

/* Prints once why a recording ended. */
static void hooks_end(void) {
    const char *why;
    if (recorder == NULL) return;
    why = pica200_record_error(recorder);
    if (why != NULL) fprintf(stderr, "pica200: the recording ended: %s\n", why);
    if (pica200_record_close(recorder) != 0 && why == NULL) fprintf(stderr, "pica200: the recording could not be written whole\n");
    recorder = NULL;
}

void pica200_hooks_close(void) { hooks_end(); }

/* Returns the path of the recording of the current console. */
static char *hooks_path(const char *path, int console) {
    static const char ending[] = ".picatrace";
    size_t n = strlen(path), e = sizeof ending - 1;
    char *name = (char *)malloc(n + 32);
    if (name == NULL) return NULL;
    if (n > e && strcmp(path + n - e, ending) == 0) n -= e;
    if (console == 1) strcpy(name, path);
    else sprintf(name, "%.*s-%d%s", (int)n, path, console, path + n);
    return name;
}

void pica200_hooks_memory(void *fcram, uint32_t fcram_size, void *vram) {
    const char *path = getenv("PICA200_RECORD"), *frames = getenv("PICA200_RECORD_FRAMES"), *track = getenv("PICA200_RECORD_TRACK");
    pica200_record_options o;
    char *name;
    hooks_end();
    if (path == NULL || *path == 0) return;
    if (consoles == 0) atexit(hooks_end);
    if (consoles == 0 || used) consoles++;
    used = 0;
    memset(&o, 0, sizeof o);
    memset(screens, 0, sizeof screens);
    frames_left = frames != NULL ? atol(frames) : 0;
    o.producer = "pica200 hooks";
    o.fcram = fcram_size;
    o.regions[0].data = vram, o.regions[0].address = 0x18000000, o.regions[0].size = 6 << 20;
    o.regions[1].data = fcram, o.regions[1].address = 0x20000000, o.regions[1].size = fcram_size;
    o.region_count = 2;
    o.track = track != NULL && strcmp(track, "1") == 0 ? PICA200_TRACK_AUTO : PICA200_TRACK_NONE;
    name = hooks_path(path, consoles);
    recorder = name != NULL ? pica200_record_open(name, &o) : NULL;
    if (recorder == NULL) {
        fprintf(stderr, "pica200: no memory to record\n");
    } else {
        fprintf(stderr, "pica200: recording to %s\n", name);
        pica200_record_begin(recorder);
    }
    free(name);
}

void pica200_hooks_mapped(const void *data, uint32_t address, uint32_t size) {
    if (recorder != NULL) pica200_record_mapped(recorder, data, address, size);
}

int pica200_hooks_list(uint32_t address, uint32_t bytes, uint32_t flags) {
    if (hooks_records()) pica200_record_list(recorder, address, bytes, flags);
    return 0;
}

int pica200_hooks_fill(uint32_t start, uint32_t end, uint32_t value, uint32_t control) {
    if (hooks_records()) pica200_record_fill(recorder, start, end, value, control);
    return 0;
}

int pica200_hooks_transfer(uint32_t input, uint32_t output, uint32_t input_dim, uint32_t output_dim, uint32_t flags) {
    if (hooks_records()) pica200_record_transfer(recorder, input, output, input_dim, output_dim, flags);
    return 0;
}

int pica200_hooks_copy(uint32_t input, uint32_t output, uint32_t bytes, uint32_t input_line, uint32_t output_line,
                       uint32_t flags) {
    if (hooks_records()) pica200_record_copy(recorder, input, output, bytes, input_line, output_line, flags);
    return 0;
}

void pica200_hooks_done(void) {
    if (recorder != NULL) pica200_record_done(recorder);
}

void pica200_hooks_screen(int screen, int buffer, int shown, uint32_t left, uint32_t right, uint32_t format,
                          uint32_t stride) {
    hooks_screen *s = &screens[screen & 1], old = *s;
    s->left[buffer & 1] = left, s->right[buffer & 1] = right;
    s->format = format, s->stride = stride, s->shown = shown & 1, s->known = 1;
    if (hooks_records() && memcmp(s, &old, sizeof old) != 0)
        pica200_record_screen(recorder, screen & 1, s->shown, s->left[0], s->left[1], s->right[0], s->right[1], format, stride);
}

void pica200_hooks_frame(void) {
    if (!hooks_records()) return;
    pica200_record_frame(recorder);
    if (pica200_record_error(recorder) != NULL || (frames_left > 0 && --frames_left == 0)) hooks_end();
}

void pica200_hooks_shown(int screen, int width, int height, const uint8_t *rgb) {
    if (recorder != NULL) pica200_record_shown(recorder, screen, width, height, rgb);
}
