/* pica200.h - the GPU of the Nintendo 3DS (PICA200) as a library.
 *
 * libpica200 executes an emulator's GPU commands. It draws directly into the
 * emulator's memory, without a copy: when a call returns, the result is in memory.
 *
 * Functions that return int return 0 on success and 1 on failure; pica200_error
 * then returns the reason. No call exits the process or crashes it. After an
 * internal error of the library, every later call for that GPU returns 1.
 *
 * The comment of each function lists the arguments that it refuses. A refused call
 * fails and changes nothing. Every function refuses a NULL gpu. Other pointers may
 * be NULL only where the comment allows it, or where the size next to them is 0.
 *
 * There is no global state. Several GPUs may be used at the same time, from any
 * threads; each GPU by one thread at a time. While a call runs, no other code may
 * write to the memory of its GPU.
 *
 * Addresses are physical. The other numbers have the format of the registers
 * (docs/REGISTERS.md). Part of pica200, MIT License.
 */
#ifndef PICA200_H
#define PICA200_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PICA200_API 1 /* increased when a function or a field is added */

typedef struct pica200_gpu pica200_gpu;

/* How the library learns that the host wrote to memory. This matters only for
 * textures, which are cached decoded, and for recordings. Command lists, vertices and
 * indices are read again for each draw. */
enum {
    PICA200_TOLD = 0, /* the host calls pica200_invalidate */
    PICA200_WATCH = 1 /* each call hashes the pages of the textures that it uses */
};

/* A field that is 0 has its default, so start with pica200_options o = {0}. */
typedef struct {
    void *fcram;         /* main memory; NULL: the library allocates it */
    uint32_t fcram_size; /* bytes: 128 MiB (default) or 256 MiB (New 3DS); other sizes are refused */
    void *vram;          /* video memory; NULL: the library allocates it */
    uint32_t vram_size;  /* bytes: 6 MiB (default), or with vram set also less, a multiple of 4 KiB */
    int memory;          /* PICA200_TOLD or PICA200_WATCH; other values are refused */
    int workers;         /* drawing threads; 0: one per processor; negative is refused. The picture does not depend on it. */
} pica200_options;

/* Return the version of the library, for example "0.2.0", and the value of
 * PICA200_API that it was built with. */
const char *pica200_version(void);
int pica200_api(void);

/* Creates a GPU in the state in which the system starts a program. options may be
 * NULL. On failure it returns NULL and writes the reason to error: at most room
 * bytes, including the 0 at the end; error may be NULL. The memory given in options
 * must stay valid until pica200_destroy. */
pica200_gpu *pica200_create(const pica200_options *options, char *error, size_t room);
void pica200_destroy(pica200_gpu *gpu); /* gpu may be NULL */

/* Returns the last error, or "" if there was none. The text is valid until the next
 * call for this GPU. */
const char *pica200_error(const pica200_gpu *gpu);

/* The five commands. pica200_list fails at the point where it leaves memory or where
 * the console would hang; what was drawn before stays. An invalid draw, fetch or copy
 * that the console survives is skipped without an error. */
enum { PICA200_GAS = 1 /* flag of pica200_list: set GPUREG_GAS_ACCMAX from the greatest gas density afterwards */ };
int pica200_list(pica200_gpu *gpu, uint32_t address, uint32_t bytes, uint32_t flags);
int pica200_fill(pica200_gpu *gpu, uint32_t start, uint32_t end, uint32_t value, uint32_t control);
int pica200_transfer(pica200_gpu *gpu, uint32_t input, uint32_t output, uint32_t input_dim, uint32_t output_dim,
                     uint32_t flags);
int pica200_copy(pica200_gpu *gpu, uint32_t input, uint32_t output, uint32_t bytes, uint32_t input_line,
                 uint32_t output_line, uint32_t flags);
/* Sets the framebuffers of a screen. screen: 0 top, 1 bottom; other values are
 * refused. shown: which of the two buffers to show; only its lowest bit counts. */
int pica200_show(pica200_gpu *gpu, int screen, int shown, uint32_t left0, uint32_t left1, uint32_t right0,
                 uint32_t right1, uint32_t format, uint32_t stride);

/* Write and read a register of the GPU (0x10400000-0x10401FFF) or of the screens
 * (0x10202000), at its physical address or at the virtual address that programs use.
 * A write also starts the command that the register starts on the console. width: 1,
 * 2, 4 or 8 bytes; other widths are refused. Reading an address without a register
 * gives 0. value may be NULL. */
int pica200_write(pica200_gpu *gpu, uint32_t address, uint32_t width, uint64_t value);
int pica200_read(pica200_gpu *gpu, uint32_t address, uint32_t *value);

/* Set and read one block of the GPU's state, for savestates. The blocks are those of
 * recordings (docs/FORMATS.md, "Recording"; PICA200_BLOCK_... in pica200_record.h).
 *
 * pica200_set_state changes the first count words and keeps the others. It refuses an
 * unknown block, more words than the block has, and any call during a recording.
 *
 * pica200_get_state copies at most room words to words, which may be NULL, and returns
 * the number of words of the block, or 0 for an unknown block. */
int pica200_set_state(pica200_gpu *gpu, uint32_t block, const uint32_t *words, uint32_t count);
uint32_t pica200_get_state(pica200_gpu *gpu, uint32_t block, uint32_t *words, uint32_t room);

/* Tells the library that the host wrote to size bytes of memory. Required with
 * PICA200_TOLD, allowed with PICA200_WATCH. Addresses outside the GPU's memory are
 * ignored. */
int pica200_invalidate(pica200_gpu *gpu, uint32_t address, uint32_t size);

/* Write and read the GPU's memory, for hosts that let the library allocate it.
 * Addresses outside the GPU's memory are refused. */
int pica200_load(pica200_gpu *gpu, uint32_t address, const void *data, uint32_t size);
int pica200_fetch(pica200_gpu *gpu, uint32_t address, void *data, uint32_t size);

/* Reads the picture that a screen shows. screen: 0 top, 1 bottom, 2 top for the
 * right eye; other values are refused. rgba receives 4 bytes a pixel (R, G, B, A),
 * rows from the top; room is its size in bytes, and less than width * height * 4 is
 * refused. rgba, width and height may be NULL; width and height are set also when room
 * is too small. */
int pica200_screen(pica200_gpu *gpu, int screen, uint8_t *rgba, size_t room, int *width, int *height);

/* Resets the GPU to its state after pica200_create, and clears the memory that the
 * library allocated. Refused during a recording. */
int pica200_reset(pica200_gpu *gpu);

/* Record all following calls to a file (.picatrace), starting with the current state
 * and memory. pica200_recording_begin refuses a second recording at the same time and
 * a path that it cannot write; producer and title may be NULL. An error while recording
 * ends the recording only, not the drawing; pica200_recording_end returns it. Outside a
 * recording, pica200_recording_frame and pica200_recording_end do nothing. With
 * PICA200_WATCH, each call hashes all memory twice during a recording. */
int pica200_recording_begin(pica200_gpu *gpu, const char *path, const char *producer, const char *title);
int pica200_recording_frame(pica200_gpu *gpu); /* marks the end of a frame */
int pica200_recording_end(pica200_gpu *gpu);

#ifdef __cplusplus
}
#endif
#endif /* PICA200_H */
