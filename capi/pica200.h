/* pica200.h - the GPU of the Nintendo 3DS (PICA200) as a library.
 *
 * libpica200 draws what an emulator's commands say, in the emulator's own
 * memory, which is neither copied nor looked through. When a call returns, memory
 * holds what it drew.
 *
 * Functions that return int return 0 if all is well and otherwise 1;
 * pica200_error says what was wrong. No call ends the host, whatever it is given:
 * an error inside the library makes that GPU useless, and every later call for it
 * returns 1.
 *
 * What a call refuses stands with it; nothing has changed then. No GPU (NULL) is
 * refused everywhere, and any other NULL where it is not allowed in words, unless the
 * size beside it is 0.
 *
 * There is no global state. Several GPUs may be used at the same time, each by one
 * thread at a time, any thread. While a call runs nobody else may write to its
 * memory.
 *
 * Addresses are physical ones; other numbers are what the registers hold
 * (docs/REGISTERS.md). Part of pica200, MIT License.
 */
#ifndef PICA200_H
#define PICA200_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PICA200_API 1 /* grows when a function or a field is added */

typedef struct pica200_gpu pica200_gpu;

/* Ways in which the GPU learns that the host wrote to memory. Of what it reads
 * anew with each draw (lists, vertices, indices) it need not know; textures are
 * kept decoded. */
enum {
    PICA200_TOLD = 0, /* pica200_invalidate says so */
    PICA200_WATCH = 1 /* the pages of textures that are used are hashed, once a call */
};

/* Fields that are 0 have defaults, so begin with pica200_options o = {0}. */
typedef struct {
    void *fcram;         /* main memory; NULL: the library's own */
    uint32_t fcram_size; /* bytes; 128 MiB (the default) or 256 MiB, of a New 3DS; others are refused */
    void *vram;          /* video memory; NULL: the library's own */
    uint32_t vram_size;  /* bytes; 6 MiB; less, in whole pages of 4 KiB, only of memory that is given */
    int memory;          /* PICA200_TOLD or PICA200_WATCH; others are refused */
    int workers;         /* threads that draw; 0: one for each processor; less is refused. Pictures do not depend on it. */
} pica200_options;

/* The version of the library, "0.2.0" say, and the value of PICA200_API that it
 * was built with. */
const char *pica200_version(void);
int pica200_api(void);

/* Makes a GPU as the system leaves it for programs; options may be NULL. NULL on
 * failure; then error, if it is not NULL, gets up to room bytes of text, with a 0 at its end. The
 * memory must stay where it is until pica200_destroy. */
pica200_gpu *pica200_create(const pica200_options *options, char *error, size_t room);
void pica200_destroy(pica200_gpu *gpu); /* gpu may be NULL */

/* What went wrong last, "" if nothing did. Valid until the next call for the
 * GPU. */
const char *pica200_error(const pica200_gpu *gpu);

/* The five commands. A list outside of memory, or that the console would hang on,
 * fails when it comes to it; what the console gets over is left out. */
enum { PICA200_GAS = 1 /* of a list: then GPUREG_GAS_ACCMAX is set from the greatest density */ };
int pica200_list(pica200_gpu *gpu, uint32_t address, uint32_t bytes, uint32_t flags);
int pica200_fill(pica200_gpu *gpu, uint32_t start, uint32_t end, uint32_t value, uint32_t control);
int pica200_transfer(pica200_gpu *gpu, uint32_t input, uint32_t output, uint32_t input_dim, uint32_t output_dim,
                     uint32_t flags);
int pica200_copy(pica200_gpu *gpu, uint32_t input, uint32_t output, uint32_t bytes, uint32_t input_line,
                 uint32_t output_line, uint32_t flags);
/* screen: 0 top, 1 bottom, others are refused; shown: which of the two buffers, its
 * lowest bit. */
int pica200_show(pica200_gpu *gpu, int screen, int shown, uint32_t left0, uint32_t left1, uint32_t right0,
                 uint32_t right1, uint32_t format, uint32_t stride);

/* Registers of the GPU (0x10400000-0x10401FFF) and the screens (0x10202000), by
 * their physical address or that at which programs see them. Writing does what
 * it sets off. width: 1, 2, 4 or 8 bytes, others are refused. Where there is no
 * register, reading gives 0; value may be NULL. */
int pica200_write(pica200_gpu *gpu, uint32_t address, uint32_t width, uint64_t value);
int pica200_read(pica200_gpu *gpu, uint32_t address, uint32_t *value);

/* Parts of the state, for savestates. The blocks and their words are those of
 * recordings (docs/FORMATS.md, "Recording"; PICA200_BLOCK_... of
 * pica200_record.h). pica200_get_state gives how many words the block has, of
 * which words, which may be NULL, gets as many as it has room for; 0 for a block that
 * there is not. pica200_set_state refuses such a block, more words than it has, and to
 * do it while a recording is made; words that are not given stay. */
int pica200_set_state(pica200_gpu *gpu, uint32_t block, const uint32_t *words, uint32_t count);
uint32_t pica200_get_state(pica200_gpu *gpu, uint32_t block, uint32_t *words, uint32_t room);

/* The host wrote to size bytes of memory. Needed with PICA200_TOLD, allowed
 * with PICA200_WATCH. Nothing is refused: what is no memory of the GPU is left out. */
int pica200_invalidate(pica200_gpu *gpu, uint32_t address, uint32_t size);

/* Memory as the GPU sees it, for hosts without a memory of their own. Bytes without
 * memory are refused. */
int pica200_load(pica200_gpu *gpu, uint32_t address, const void *data, uint32_t size);
int pica200_fetch(pica200_gpu *gpu, uint32_t address, void *data, uint32_t size);

/* What a screen shows: 0 top, 1 bottom, 2 top for the right eye. RGBA, a byte
 * each, rows from the top. width and height, which may be NULL, are set whenever the
 * screen exists; other screens are refused. rgba may be NULL; room is its size in
 * bytes, and less than width * height * 4 is refused. */
int pica200_screen(pica200_gpu *gpu, int screen, uint8_t *rgba, size_t room, int *width, int *height);

/* Puts the GPU, and memory of its own, back to the start. Refused while a recording is
 * made. */
int pica200_reset(pica200_gpu *gpu);

/* Records what is called from now on to a file (.picatrace), from the state and
 * memory that there are. An error ends the recording, not the work:
 * pica200_recording_end gives it. With PICA200_WATCH all memory is hashed twice
 * a call while recording. A second recording at the same time is refused, as is a path
 * that cannot be written; producer and title may be NULL. Without a recording, a
 * frame and an end do nothing. */
int pica200_recording_begin(pica200_gpu *gpu, const char *path, const char *producer, const char *title);
int pica200_recording_frame(pica200_gpu *gpu); /* a frame ends */
int pica200_recording_end(pica200_gpu *gpu);

#ifdef __cplusplus
}
#endif
#endif /* PICA200_H */
