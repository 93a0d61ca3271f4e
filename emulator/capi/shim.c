/* The functions of pica200.h. Each calls the Go function for its GPU's handle and keeps
 * the error. They are in C because cgo exports neither const parameters nor opaque
 * structures. */
#include "pica200.h"
#include "_cgo_export.h"

#include <stdlib.h>
#include <string.h>

struct pica200_gpu {
    uintptr_t handle;
    char *error; /* of the last call; NULL if it succeeded */
};

/* Kinds of events; the numbers are those of recordings. */
enum { WRITE = 2, LIST = 3, FILL = 4, TRANSFER = 5, COPY = 6, SCREEN = 7 };

static int done(pica200_gpu *gpu, char *error) {
    free(gpu->error);
    gpu->error = error;
    return error != NULL;
}

#define CALL(gpu, call)             \
    do {                            \
        if ((gpu) == NULL) return 1; \
        return done((gpu), (call)); \
    } while (0)

const char *pica200_version(void) { return p2go_version(); }

int pica200_api(void) { return PICA200_API; }

pica200_gpu *pica200_create(const pica200_options *o, char *error, size_t room) {
    static const pica200_options defaults;
    char *what = NULL;
    pica200_gpu *gpu = calloc(1, sizeof *gpu);
    if (o == NULL) o = &defaults;
    if (error != NULL && room > 0) error[0] = 0;
    if (gpu != NULL) what = p2go_create(o->fcram, o->fcram_size, o->vram, o->vram_size, o->memory, o->workers, &gpu->handle);
    if (gpu != NULL && what == NULL) return gpu;
    if (error != NULL && room > 0) {
        strncpy(error, what != NULL ? what : "no memory", room - 1);
        error[room - 1] = 0;
    }
    free(what);
    free(gpu);
    return NULL;
}

void pica200_destroy(pica200_gpu *gpu) {
    if (gpu == NULL) return;
    p2go_destroy(gpu->handle);
    free(gpu->error);
    free(gpu);
}

const char *pica200_error(const pica200_gpu *gpu) {
    if (gpu == NULL) return "no GPU";
    return gpu->error == NULL ? "" : gpu->error;
}

int pica200_list(pica200_gpu *gpu, uint32_t address, uint32_t bytes, uint32_t flags) {
    CALL(gpu, p2go_event(gpu->handle, LIST, address, bytes, flags, 0, 0, 0, 0));
}

int pica200_fill(pica200_gpu *gpu, uint32_t start, uint32_t end, uint32_t value, uint32_t control) {
    CALL(gpu, p2go_event(gpu->handle, FILL, start, end, value, control, 0, 0, 0));
}

int pica200_transfer(pica200_gpu *gpu, uint32_t input, uint32_t output, uint32_t input_dim, uint32_t output_dim,
                     uint32_t flags) {
    CALL(gpu, p2go_event(gpu->handle, TRANSFER, input, output, output_dim, input_dim, flags, 0, 0));
}

int pica200_copy(pica200_gpu *gpu, uint32_t input, uint32_t output, uint32_t bytes, uint32_t input_line,
                 uint32_t output_line, uint32_t flags) {
    CALL(gpu, p2go_event(gpu->handle, COPY, input, output, bytes, input_line, output_line, flags, 0));
}

int pica200_show(pica200_gpu *gpu, int screen, int shown, uint32_t left0, uint32_t left1, uint32_t right0,
                 uint32_t right1, uint32_t format, uint32_t stride) {
    uint32_t which = (screen < 0 || screen > 0xFF ? 0xFFu : (uint32_t)screen) | (uint32_t)(shown & 1) << 8;
    CALL(gpu, p2go_event(gpu->handle, SCREEN, which, left0, left1, right0, right1, format, stride));
}

int pica200_write(pica200_gpu *gpu, uint32_t address, uint32_t width, uint64_t value) {
    CALL(gpu, p2go_event(gpu->handle, WRITE, address, width, (uint32_t)value, (uint32_t)(value >> 32), 0, 0, 0));
}

int pica200_read(pica200_gpu *gpu, uint32_t address, uint32_t *value) {
    uint32_t v;
    if (value == NULL) value = &v;
    CALL(gpu, p2go_read(gpu->handle, address, value));
}

int pica200_set_state(pica200_gpu *gpu, uint32_t block, const uint32_t *words, uint32_t count) {
    CALL(gpu, p2go_set_state(gpu->handle, block, (uint32_t *)words, count));
}

uint32_t pica200_get_state(pica200_gpu *gpu, uint32_t block, uint32_t *words, uint32_t room) {
    uint32_t count = 0;
    if (gpu == NULL) return 0;
    done(gpu, p2go_get_state(gpu->handle, block, words, room, &count));
    return count;
}

int pica200_invalidate(pica200_gpu *gpu, uint32_t address, uint32_t size) {
    CALL(gpu, p2go_invalidate(gpu->handle, address, size));
}

int pica200_load(pica200_gpu *gpu, uint32_t address, const void *data, uint32_t size) {
    CALL(gpu, p2go_load(gpu->handle, address, (void *)data, size));
}

int pica200_fetch(pica200_gpu *gpu, uint32_t address, void *data, uint32_t size) {
    CALL(gpu, p2go_fetch(gpu->handle, address, data, size));
}

int pica200_screen(pica200_gpu *gpu, int screen, uint8_t *rgba, size_t room, int *width, int *height) {
    int w = 0, h = 0;
    if (width == NULL) width = &w;
    if (height == NULL) height = &h;
    CALL(gpu, p2go_screen(gpu->handle, screen, rgba, room, width, height));
}

int pica200_reset(pica200_gpu *gpu) { CALL(gpu, p2go_reset(gpu->handle)); }

int pica200_recording_begin(pica200_gpu *gpu, const char *path, const char *producer, const char *title) {
    CALL(gpu, p2go_recording_begin(gpu->handle, (char *)path, (char *)producer, (char *)title));
}

int pica200_recording_frame(pica200_gpu *gpu) { CALL(gpu, p2go_recording_frame(gpu->handle)); }

int pica200_recording_end(pica200_gpu *gpu) { CALL(gpu, p2go_recording_end(gpu->handle)); }
