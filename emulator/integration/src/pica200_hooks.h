/* pica200_hooks.h - the functions that an emulator calls for each GPU command. Two
 * files implement them; build one of them into the emulator:
 *
 *   recorder.c   writes a recording (needs pica200_record.h in the same directory)
 *   renderer.c   lets libpica200 draw (needs pica200.h and the library)
 *
 * The files *.hooks list where to put the calls in known emulators; apply.sh puts them
 * there. Addresses are physical; the other numbers have the format of the registers
 * (docs/RECORDING.md).
 *
 * Call each command's function before the command is executed. If it returns 1, the
 * command was executed, and the emulator must not execute it again; recorder.c always
 * returns 0.
 *
 * Use one emulated console at a time, from one thread at a time. Part of pica200, MIT
 * License.
 */
#ifndef PICA200_HOOKS_H
#define PICA200_HOOKS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Call this when a console starts, before its first command, with its main memory (128
 * or 256 MiB) and its 6 MiB of video memory. Both must stay valid until
 * pica200_hooks_close or the next start. */
void pica200_hooks_memory(void *fcram, uint32_t fcram_size, void *vram);

/* Reports another mapping through which physical memory can be written from now on.
 * Needed where writes are tracked (recorder.c). */
void pica200_hooks_mapped(const void *data, uint32_t address, uint32_t size);

/* flags: 1 update the gas density afterwards, 2 the list was flushed from the cache. */
int pica200_hooks_list(uint32_t address, uint32_t bytes, uint32_t flags);
int pica200_hooks_fill(uint32_t start, uint32_t end, uint32_t value, uint32_t control);
int pica200_hooks_transfer(uint32_t input, uint32_t output, uint32_t input_dim, uint32_t output_dim, uint32_t flags);
int pica200_hooks_copy(uint32_t input, uint32_t output, uint32_t bytes, uint32_t input_line, uint32_t output_line,
                       uint32_t flags);

/* Call this after each command was executed. */
void pica200_hooks_done(void);

/* Sets the addresses of one of the two buffers of a screen (0 top, 1 bottom), and which
 * buffer it shows. A call that changes nothing is cheap. */
void pica200_hooks_screen(int screen, int buffer, int shown, uint32_t left, uint32_t right, uint32_t format,
                          uint32_t stride);

/* Call this at the vertical blank, after the screens' buffers were changed. */
void pica200_hooks_frame(void);

/* Optional: stores the picture that the emulator itself shows, for "pica200 trace
 * verify" to compare with. 3 bytes a pixel (R, G, B), rows from the top; screen: 0 top,
 * 1 top for the right eye, 2 bottom. Call it between pica200_hooks_frame and the next
 * command. */
void pica200_hooks_shown(int screen, int width, int height, const uint8_t *rgb);

/* Call this when the console is destroyed, before its memory is freed. */
void pica200_hooks_close(void);

#ifdef __cplusplus
}
#endif
#endif
