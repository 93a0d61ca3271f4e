/* renderer.c - lets libpica200 draw for an emulator.
 *
 *   PICA200_DRAW=1   use the library; without it the emulator draws as before
 *
 * libpica200 draws into the emulator's own memory before a call returns. The emulator
 * only has to show that memory, as it does for programs that draw on the CPU. The
 * library watches the pages of textures, so no hook in the CPU's writes is needed. The
 * first ten errors are printed to standard error. Part of pica200, MIT License.
 */
#include "pica200_hooks.h"
#include "pica200.h"

#include <stdio.h>
#include <stdlib.h>

static pica200_gpu *gpu;

void pica200_hooks_close(void) {
    pica200_destroy(gpu);
    gpu = NULL;
}

void pica200_hooks_memory(void *fcram, uint32_t fcram_size, void *vram) {
    pica200_options o = {0};
    char why[256];
    pica200_hooks_close();
    if (getenv("PICA200_DRAW") == NULL) return;
    o.fcram = fcram, o.fcram_size = fcram_size;
    o.vram = vram, o.vram_size = 6 << 20;
    o.memory = PICA200_WATCH;
    gpu = pica200_create(&o, why, sizeof why);
    if (gpu == NULL) fprintf(stderr, "pica200: %s\n", why);
}

void pica200_hooks_mapped(const void *data, uint32_t address, uint32_t size) { (void)data, (void)address, (void)size; }

/* Prints an error; the command is not executed a second time. */
static int drawn(int failed) {
    static int said;
    if (failed && said++ < 10) fprintf(stderr, "pica200: %s\n", pica200_error(gpu));
    return 1;
}

int pica200_hooks_list(uint32_t address, uint32_t bytes, uint32_t flags) {
    return gpu != NULL && drawn(pica200_list(gpu, address, bytes, flags & PICA200_GAS));
}

int pica200_hooks_fill(uint32_t start, uint32_t end, uint32_t value, uint32_t control) {
    return gpu != NULL && drawn(pica200_fill(gpu, start, end, value, control));
}

int pica200_hooks_transfer(uint32_t input, uint32_t output, uint32_t input_dim, uint32_t output_dim, uint32_t flags) {
    return gpu != NULL && drawn(pica200_transfer(gpu, input, output, input_dim, output_dim, flags));
}

int pica200_hooks_copy(uint32_t input, uint32_t output, uint32_t bytes, uint32_t input_line, uint32_t output_line,
                       uint32_t flags) {
    return gpu != NULL && drawn(pica200_copy(gpu, input, output, bytes, input_line, output_line, flags));
}

void pica200_hooks_done(void) {}

/* Nothing to do: the emulator reads the screens from memory. */
void pica200_hooks_screen(int screen, int buffer, int shown, uint32_t left, uint32_t right, uint32_t format,
                          uint32_t stride) {
    (void)screen, (void)buffer, (void)shown, (void)left, (void)right, (void)format, (void)stride;
}

void pica200_hooks_frame(void) {}

void pica200_hooks_shown(int screen, int width, int height, const uint8_t *rgb) {
    (void)screen, (void)width, (void)height, (void)rgb;
}
