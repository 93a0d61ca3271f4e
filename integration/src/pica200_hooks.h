/* pica200_hooks.h - what an emulator calls for each command that its system has for
 * the GPU. Two files implement it; build one of them into the emulator:
 *
 *   recorder.c   writes a recording (needs pica200_record.h beside it)
 *   renderer.c   lets libpica200 draw (needs pica200.h and the library)
 *
 * Where the calls go in the emulators that are known stands in *.hooks, and apply.sh
 * puts them there. Addresses are physical; the other numbers are what the registers
 * hold (docs/RECORDING.md).
 *
 * A command is given before it is executed. Where its call returns 1 it was carried
 * out, and the emulator must not draw it too; recorder.c always returns 0.
 *
 * One emulated console at a time, calls from one thread at a time. Part of pica200,
 * MIT License.
 */
#ifndef PICA200_HOOKS_H
#define PICA200_HOOKS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A console was started: its main memory (128 or 256 MiB) and its 6 MiB of video
 * memory, which stay where they are until pica200_hooks_close or the next start. No
 * command has been executed yet. */
void pica200_hooks_memory(void *fcram, uint32_t fcram_size, void *vram);

/* Physical memory can be written through another mapping too, from now on. Needed
 * where writes are tracked (recorder.c). */
void pica200_hooks_mapped(const void *data, uint32_t address, uint32_t size);

/* flags: 1 the density of gas is updated afterwards, 2 the list was flushed. */
int pica200_hooks_list(uint32_t address, uint32_t bytes, uint32_t flags);
int pica200_hooks_fill(uint32_t start, uint32_t end, uint32_t value, uint32_t control);
int pica200_hooks_transfer(uint32_t input, uint32_t output, uint32_t input_dim, uint32_t output_dim, uint32_t flags);
int pica200_hooks_copy(uint32_t input, uint32_t output, uint32_t bytes, uint32_t input_line, uint32_t output_line,
                       uint32_t flags);

/* The command was executed. */
void pica200_hooks_done(void);

/* A screen (0 top, 1 bottom) gets the addresses of one of its two buffers, and shows
 * the buffer "shown". Saying again what is so already costs nothing. */
void pica200_hooks_screen(int screen, int buffer, int shown, uint32_t left, uint32_t right, uint32_t format,
                          uint32_t stride);

/* The vertical blank, after the screens' buffers were changed. */
void pica200_hooks_frame(void);

/* What the emulator itself shows: RGB, rows from the top; screen: 0 top, 1 top for the
 * right eye, 2 bottom. Between pica200_hooks_frame and the next command; need not be
 * called. "pica200 trace verify" compares with it. */
void pica200_hooks_shown(int screen, int width, int height, const uint8_t *rgb);

/* The console goes away, with its memory. */
void pica200_hooks_close(void);

#ifdef __cplusplus
}
#endif
#endif
