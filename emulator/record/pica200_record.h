/* pica200_record.h - writes recordings of the Nintendo 3DS's GPU (.picatrace).
 *
 * For emulators and for whatever else drives a PICA200: one file, C99 or C++,
 * no dependency beyond the C library. Define PICA200_RECORD_IMPLEMENTATION in
 * one source file before including it; include it plainly everywhere else.
 *
 * The recorder takes the five commands that the system has for the GPU, which all
 * emulators implement. Call, in this order:
 *
 *   pica200_record_open      with the memory regions and the name of the host
 *   pica200_record_block     for each part of the GPU's state (PICA200_BLOCK_...)
 *   pica200_record_begin     writes the state
 *   then, for each command BEFORE it is executed, one of
 *   pica200_record_list, _fill, _transfer, _copy, _screen
 *   and, AFTER it was executed, pica200_record_done
 *   pica200_record_frame     at the end of a frame
 *   pica200_record_close
 *
 * The recorder stores only the memory that the GPU is about to read: it decodes the
 * register writes of each command list and finds the vertices, indices, textures and
 * render targets of its draws. It reads no other memory, so the code and the data of
 * the program do not get into the file. Memory that was stored before and did not
 * change is not stored again. To find changes, the recorder compares memory at each
 * command, which takes time. With options.track the system reports the written pages,
 * with options.told the host does; then only those are compared.
 *
 * If the host crashes, the file is still readable up to the last complete frame.
 * An error, such as a full disk, ends the recording: every later call returns
 * immediately, and pica200_record_error returns the reason. No call exits the process.
 *
 * Use one recorder from one thread at a time. The only global state is the signal
 * handler that PICA200_TRACK_MPROTECT installs.
 *
 * MIT License, the pica200 authors; see LICENSE. The format: docs/FORMATS.md.
 */
#ifndef PICA200_RECORD_H
#define PICA200_RECORD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PICA200_RECORD_MAX_REGIONS 8

/* Blocks of the GPU's state, for pica200_record_block. Each is an array of
 * 32-bit words; a float24 number is in the low 24 bits of its word. */
enum {
    PICA200_BLOCK_EXTERNAL = 1,             /* 0x400: word i at 0x10400000+4i */
    PICA200_BLOCK_SCREENS = 2,              /* 0x400: word i at 0x10202000+4i */
    PICA200_BLOCK_REGISTERS = 3,            /* 0x300: internal registers */
    PICA200_BLOCK_FIXED_ATTRIBUTES = 4,     /* 64: 16 vectors x, y, z, w of float24 */
    PICA200_BLOCK_VERTEX_CODE = 5,          /* up to 4096 instructions */
    PICA200_BLOCK_VERTEX_DESCRIPTORS = 6,   /* 128 */
    PICA200_BLOCK_VERTEX_UNIFORMS = 7,      /* 384: 96 vectors x, y, z, w of float24 */
    PICA200_BLOCK_GEOMETRY_CODE = 8,        /* the same for the geometry shader unit */
    PICA200_BLOCK_GEOMETRY_DESCRIPTORS = 9,
    PICA200_BLOCK_GEOMETRY_UNIFORMS = 10,
    PICA200_BLOCK_LIGHTING_TABLES = 11,     /* 24 x 256 words of GPUREG_LIGHTING_LUT_DATA */
    PICA200_BLOCK_FOG_TABLE = 12,           /* 128 words of GPUREG_FOG_LUT_DATA */
    PICA200_BLOCK_GAS_TABLE = 13,           /* 16 words of GPUREG_GAS_LUT_DATA */
    PICA200_BLOCK_PROCTEX_NOISE = 14,       /* 128 words of GPUREG_PROCTEX_LUT_DATA, table 0 */
    PICA200_BLOCK_PROCTEX_RGB_MAP = 15,     /* 128, table 2 */
    PICA200_BLOCK_PROCTEX_ALPHA_MAP = 16,   /* 128, table 3 */
    PICA200_BLOCK_PROCTEX_COLORS = 17,      /* 256, table 4 */
    PICA200_BLOCK_PROCTEX_COLOR_DIFFS = 18, /* 256, table 5 */
    PICA200_BLOCK_PRIMITIVES = 19,          /* 790: unfinished primitives, docs/FORMATS.md; all 0 if there are none */
    PICA200_BLOCK_END = 20
};

/* Flags of a command list. */
enum {
    PICA200_LIST_UPDATE_GAS = 1, /* set GPUREG_GAS_ACCMAX from the greatest gas density afterwards */
    PICA200_LIST_FLUSH = 2       /* the list was flushed from the CPU's cache */
};

/* A range of memory that the GPU can access. Regions must not overlap. */
typedef struct {
    const void *data; /* the host's copy; must stay valid until pica200_record_close */
    uint32_t address; /* physical: 0x18000000 VRAM, 0x20000000 FCRAM, ...; a multiple of 4096 */
    uint32_t size;    /* bytes */
} pica200_record_region;

/* Values of options.track: how the recorder finds the memory that the CPU wrote. */
enum {
    PICA200_TRACK_NONE = 0, /* it compares all memory that a command reads */
    /* The system reports the written pages where it can; otherwise like
     * PICA200_TRACK_NONE. Linux can from 6.7 on, for memory that starts at a page;
     * Windows can (GetWriteWatch), for memory of VirtualAlloc with MEM_WRITE_WATCH. */
    PICA200_TRACK_AUTO = 1,
    /* The recorder write-protects pages (mprotect) and sees the faults; only on Unix, and
     * slower. The regions and every mapping passed to pica200_record_mapped must be readable
     * and writable, and must stay mapped until pica200_record_close or until
     * pica200_record_mapped reports other memory in their place. System calls must not write
     * there: read(2) into protected memory fails with EFAULT. Faults that are not the
     * recorder's go to the handler of SIGSEGV and SIGBUS that was installed when the recorder
     * was opened; a handler that is installed later must pass on the faults that are not its
     * own. Two such recorders must not be opened or closed at the same time. */
    PICA200_TRACK_MPROTECT = 2
};

typedef struct {
    const char *producer; /* name of the host; each of the three texts may be NULL */
    const char *version;  /* of the host */
    const char *title;    /* of the recorded program */
    uint32_t fcram;       /* size of main memory in bytes; 0: 128 MiB */
    pica200_record_region regions[PICA200_RECORD_MAX_REGIONS];
    int region_count;
    int told;  /* nonzero: the host reports changes with pica200_record_changed */
    int track; /* PICA200_TRACK_...; ignored if told is set */
} pica200_record_options;

typedef struct pica200_recorder pica200_recorder;

/* Starts a recording; an existing file is overwritten. Returns NULL only if the
 * recorder cannot be allocated; pica200_record_error returns every other error. */
pica200_recorder *pica200_record_open(const char *path, const pica200_record_options *options);

/* Sets one block of the GPU's initial state. A block that is never set is 0. */
void pica200_record_block(pica200_recorder *r, uint32_t block, const uint32_t *words, uint32_t count);

/* Converts a float to the 24-bit format of uniforms and fixed attributes, for hosts
 * that keep these as floats. */
uint32_t pica200_float24(float x);
/* Makes the words of a lighting table from its values, 0 to 1, for hosts that do not
 * keep the differences between entries. two_sided: the input goes from -1 to 1, so
 * that entry 0 follows entry 255, and 127 is the last entry. The difference of the
 * last entry is 0. */
void pica200_lighting_table(uint32_t words[256], const float values[256], int two_sided);
/* The same for the fog table. */
void pica200_fog_table(uint32_t words[128], const float values[128]);

/* Checks the state; call it before pica200_record_begin. Returns a text that names the
 * blocks that are missing or cannot be right, or NULL. The text belongs to the recorder.
 * A recording that starts together with the program needs no state. */
const char *pica200_record_check(pica200_recorder *r);

/* Writes the state. Memory is written later, when commands read it. */
void pica200_record_begin(pica200_recorder *r);

/* With options.told: reports that the CPU, or anything else but the GPU, wrote to memory. */
void pica200_record_changed(pica200_recorder *r, uint32_t address, uint32_t size);

/* With options.track: reports another mapping through which the same memory can be
 * written. Call it for each mapping before it is used, and again when other memory is
 * mapped there. A mapping that no longer exists does no harm. */
void pica200_record_mapped(pica200_recorder *r, const void *data, uint32_t address, uint32_t size);

/* Returns nonzero if the recorder knows which pages were written, and 0 if it compares
 * all memory. A region that cannot be tracked, for example because it does not start at
 * a page, is always compared. */
int pica200_record_tracks(const pica200_recorder *r);

/* Record a command; call these before it is executed. Addresses are physical; the
 * other numbers have the format of the registers. */
void pica200_record_list(pica200_recorder *r, uint32_t address, uint32_t bytes, uint32_t flags);
void pica200_record_fill(pica200_recorder *r, uint32_t start, uint32_t end, uint32_t value, uint32_t control);
void pica200_record_transfer(pica200_recorder *r, uint32_t input, uint32_t output, uint32_t input_dim,
                             uint32_t output_dim, uint32_t flags);
void pica200_record_copy(pica200_recorder *r, uint32_t input, uint32_t output, uint32_t bytes, uint32_t input_line,
                         uint32_t output_line, uint32_t flags);
/* screen: 0 top, 1 bottom; shown: which of the two buffers is shown. */
void pica200_record_screen(pica200_recorder *r, int screen, int shown, uint32_t left0, uint32_t left1, uint32_t right0,
                           uint32_t right1, uint32_t format, uint32_t stride);
/* Records a CPU write to any other register; width: 1, 2, 4 or 8 bytes. */
void pica200_record_write(pica200_recorder *r, uint32_t address, uint32_t width, uint64_t value);

/* Call this after each command was executed. It marks what the command wrote to memory
 * as the GPU's output, which a replay draws itself. Without this call, that output is
 * recorded as if the CPU had written it, and a replay shows the host's picture instead
 * of its own. */
void pica200_record_done(pica200_recorder *r);

/* Stores the picture that a screen showed at the end of the last frame, for comparison
 * with a replay: 3 bytes a pixel (R, G, B), rows from the top. screen: 0 top, 1 top for
 * the right eye, 2 bottom. */
void pica200_record_shown(pica200_recorder *r, int screen, int width, int height, const uint8_t *rgb);

/* Ends a frame and writes it to the file. */
void pica200_record_frame(pica200_recorder *r);

/* Returns the error that ended the recording, or NULL. */
const char *pica200_record_error(const pica200_recorder *r);

/* Writes an unfinished frame, closes the file and frees the recorder. Returns 0 if
 * everything was written. r may be NULL. */
int pica200_record_close(pica200_recorder *r);

#ifdef __cplusplus
}
#endif
#endif /* PICA200_RECORD_H */

#ifdef PICA200_RECORD_IMPLEMENTATION
#undef PICA200_RECORD_IMPLEMENTATION

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#ifdef SYS_userfaultfd
#define P2R_PAGE_TABLES 1
#endif
#endif

#ifdef _WIN32
#define P2R_WRITE_WATCH 1
#elif (defined(__unix__) || defined(__APPLE__)) && defined(__GNUC__)
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>
#if defined(SA_SIGINFO) && defined(SEGV_ACCERR) /* not with -std=c99 alone: -std=gnu99, or _XOPEN_SOURCE 700 */
#define P2R_MPROTECT 1
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum {
    P2R_PAGE = 4096,
    P2R_WORDS = P2R_PAGE / 4,
    P2R_PIECES = 1024,    /* pieces of memory collected before they are written */
    P2R_KNOWN = 1 << 16,  /* pieces remembered, so that equal ones are stored once */
    P2R_CHUNK = 32,       /* header of a chunk */
    P2R_PIECE = 24,       /* header of a piece */
    P2R_EVENT = 32,
    P2R_REGS = 0x300,
    P2R_JUMPS = 1 << 14,      /* most jumps in one list; a replay does not follow more */
    P2R_LIST_WORDS = 1 << 26, /* most words of one list, with the lists that it jumps to */
    P2R_VERTICES = 1 << 24,   /* most vertices of a draw */
    P2R_CHUNK_BITS = 20,      /* memory is watched in chunks of 2^20 bytes */
    P2R_MAPPINGS = 1 << 16,
    P2R_MAX_EVENTS = (64 << 20) / P2R_EVENT
};

enum { P2R_BY_NOBODY, P2R_BY_TABLES, P2R_BY_WATCH, P2R_BY_FAULTS };

/* A hash of a page's content, with the recorder's random key; see p2r_name_of. */
typedef struct {
    uint64_t sum[2];
} p2r_name;

typedef struct {
    p2r_name name;
    uint32_t id;
    uint32_t bytes; /* 0: the entry is empty */
} p2r_known;

/* What a replay has in a page at this point of the recording. */
typedef struct {
    uint8_t *copy;   /* its bytes; NULL: all 0 */
    uint32_t when;   /* number of the command for which lo and hi are valid */
    uint16_t lo, hi; /* range of bytes known to equal memory */
    uint16_t told_lo, told_hi; /* range of bytes that the CPU wrote while drawn was set */
    uint16_t drawn;  /* the GPU wrote here; the host may not have written that to memory */
} p2r_page;

typedef struct {
    const uint8_t *data;
    uint32_t address, size, page_count;
    p2r_page *pages;
    uint8_t *watched; /* for each chunk: whether its pages are tracked */
    int compared;     /* writes cannot be tracked, so it is compared */
} p2r_region;

/* One mapping of the GPU's memory in the host's address space. */
typedef struct {
    const uint8_t *data;
    uint32_t address, size;
} p2r_mapping;

typedef struct {
    uint64_t address, size;
} p2r_span;

struct pica200_recorder {
    FILE *file;
    const char *error;
    int told, begun, frames; /* frames: a frame has ended */
    uint32_t key[2 * P2R_WORDS];
    p2r_region regions[PICA200_RECORD_MAX_REGIONS];
    int region_count;
    p2r_known *known;
    uint8_t *pieces; /* collected pieces, not written yet */
    size_t pieces_size;
    uint32_t piece_count, next_id;
    uint8_t *events;
    size_t events_size, events_room;
    uint32_t *blocks[PICA200_BLOCK_END];
    uint32_t block_words[PICA200_BLOCK_END];
    /* The registers that determine what the GPU reads. */
    uint32_t regs[P2R_REGS];  /* internal registers */
    uint32_t ext[0x400];      /* external ones, from 0x10400000 */
    uint32_t fixed_words;     /* words received of an incomplete fixed attribute */
    uint32_t jump_to, jump_bytes; /* target of a pending jump; none if jump_bytes is 0 */
    int ended;                /* the list ended */
    int drawn;                /* textures and targets of the next draw are recorded already */
    uint32_t when;            /* number of the current command */
    p2r_span *written;        /* ranges that the current command writes */
    size_t written_count, written_room;
    int tracks;         /* how writes are tracked, P2R_BY_...; 0: not at all */
    int faults, tables; /* with P2R_BY_TABLES: file descriptors */
    p2r_mapping *mappings;
    size_t mapping_count, mapping_room;
    char check[1024]; /* text of pica200_record_check */
};

static void p2r_put32(uint8_t *p, uint32_t v) {
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
    p[2] = (uint8_t)(v >> 16);
    p[3] = (uint8_t)(v >> 24);
}

static void p2r_put64(uint8_t *p, uint64_t v) {
    p2r_put32(p, (uint32_t)v);
    p2r_put32(p + 4, (uint32_t)(v >> 32));
}

static uint64_t p2r_get64(const uint8_t *p) {
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 |
           (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
}

static uint64_t p2r_rotate(uint64_t x, int n) { return x << n | x >> (64 - n); }

static uint64_t p2r_finish(uint64_t k) {
    k ^= k >> 33;
    k *= 0xFF51AFD7ED558CCDu;
    k ^= k >> 33;
    k *= 0xC4CEB9FE1A85EC53u;
    return k ^ k >> 33;
}

/* MurmurHash3 (x64, 128 bits, seed 0), with which readers of the format detect damage.
 * It is not cryptographic: collisions are easy to construct. */
static void p2r_hash128(const uint8_t *data, size_t bytes, uint64_t out[2]) {
    const uint64_t c1 = 0x87C37B91114253D5u, c2 = 0x4CF5AD432745937Fu;
    uint64_t h1 = 0, h2 = 0, k1, k2;
    size_t i, tail = bytes & 15;
    for (i = 0; i + 16 <= bytes; i += 16) {
        k1 = p2r_rotate(p2r_get64(data + i) * c1, 31) * c2;
        k2 = p2r_rotate(p2r_get64(data + i + 8) * c2, 33) * c1;
        h1 = (p2r_rotate(h1 ^ k1, 27) + h2) * 5 + 0x52DCE729;
        h2 = (p2r_rotate(h2 ^ k2, 31) + h1) * 5 + 0x38495AB5;
    }
    if (tail != 0) {
        uint8_t rest[16] = {0};
        memcpy(rest, data + i, tail);
        if (tail > 8) h2 ^= p2r_rotate(p2r_get64(rest + 8) * c2, 33) * c1;
        h1 ^= p2r_rotate(p2r_get64(rest) * c1, 31) * c2;
    }
    h1 ^= bytes;
    h2 ^= bytes;
    h1 += h2;
    h2 += h1;
    h1 = p2r_finish(h1);
    h2 = p2r_finish(h2);
    h1 += h2;
    h2 += h1;
    out[0] = h1;
    out[1] = h2;
}

/* Makes a key that the recorded program cannot guess: from /dev/urandom if it exists,
 * and from times and addresses. */
static void p2r_make_key(pica200_recorder *r) {
    uint64_t seed = p2r_finish((uint64_t)time(NULL)) + p2r_finish((uint64_t)clock() + 1) + (uint64_t)(uintptr_t)r +
                    p2r_finish((uint64_t)(uintptr_t)&seed);
    FILE *random = fopen("/dev/urandom", "rb");
    size_t i;
    if (random != NULL) {
        i = fread(r->key, 1, sizeof r->key, random); /* fewer bytes are fine */
        fclose(random);
    }
    for (i = 0; i < 2 * P2R_WORDS; i++) {
        seed += 0x9E3779B97F4A7C15u;
        r->key[i] ^= (uint32_t)(p2r_finish(seed) >> 32);
    }
}

/* Hashes a page: NH, the hash of UMAC (Black and others, 1999), with two keys. Without
 * the keys, two different pages of the same size collide with probability 2^-64. The
 * hash is never written to the file. */
static p2r_name p2r_name_of(const uint32_t *key, const uint8_t *p, uint32_t bytes) {
    uint64_t a[4] = {0}, b[4] = {0};
    uint8_t whole[P2R_PAGE];
    p2r_name n;
    uint32_t w[8], i, j;
    if (bytes % 32 != 0) { /* the last page of a region */
        memset(whole, 0, sizeof whole);
        memcpy(whole, p, bytes);
        p = whole;
    }
    for (i = 0; i < bytes; i += 32, key += 8) {
        memcpy(w, p + i, 32);
        for (j = 0; j < 4; j++) {
            a[j] += (uint64_t)(uint32_t)(w[j] + key[j]) * (uint32_t)(w[j + 4] + key[j + 4]);
            b[j] += (uint64_t)(uint32_t)(w[j] + key[P2R_WORDS + j]) * (uint32_t)(w[j + 4] + key[P2R_WORDS + j + 4]);
        }
    }
    n.sum[0] = a[0] + a[1] + a[2] + a[3];
    n.sum[1] = b[0] + b[1] + b[2] + b[3];
    return n;
}

static int p2r_same(const p2r_name *a, const p2r_name *b) { return a->sum[0] == b->sum[0] && a->sum[1] == b->sum[1]; }

static void p2r_fail(pica200_recorder *r, const char *what) {
    if (r->error == NULL) r->error = what;
}

static void p2r_write(pica200_recorder *r, const void *data, size_t bytes) {
    if (r->error == NULL && bytes > 0 && fwrite(data, 1, bytes, r->file) != bytes)
        p2r_fail(r, "writing the recording failed: is the disk full?");
}

/* Flushes the file to the system, so that the data survives a crash of the host. */
static void p2r_sync(pica200_recorder *r) {
    if (r->error == NULL && fflush(r->file) != 0) p2r_fail(r, "writing the recording failed: is the disk full?");
}

/* Writes a chunk with its content. */
static void p2r_chunk(pica200_recorder *r, const char *name, const uint8_t *data, size_t bytes) {
    uint8_t head[P2R_CHUNK];
    uint64_t h[2];
    p2r_hash128(data, bytes, h);
    memcpy(head, name, 4);
    p2r_put32(head + 4, 0); /* not compressed */
    p2r_put64(head + 8, bytes);
    p2r_put64(head + 16, bytes);
    p2r_put64(head + 24, h[0]);
    p2r_write(r, head, sizeof head);
    p2r_write(r, data, bytes);
}

static void p2r_flush_pieces(pica200_recorder *r) {
    if (r->piece_count == 0) return;
    p2r_chunk(r, "PAGE", r->pieces, r->pieces_size);
    r->pieces_size = 0;
    r->piece_count = 0;
}

static void p2r_event(pica200_recorder *r, uint32_t kind, uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t e,
                      uint32_t f, uint32_t g) {
    uint8_t *p;
    if (r->error != NULL) return;
    if (r->events_size == r->events_room) {
        size_t room = r->events_room ? 2 * r->events_room : 1024 * P2R_EVENT;
        if (r->events_size / P2R_EVENT >= P2R_MAX_EVENTS) {
            p2r_fail(r, "a frame has more events than the format holds: is pica200_record_frame called?");
            return;
        }
        p = (uint8_t *)realloc(r->events, room);
        if (p == NULL) {
            p2r_fail(r, "no memory for the events of a frame");
            return;
        }
        r->events = p;
        r->events_room = room;
    }
    p = r->events + r->events_size;
    p2r_put32(p, kind);
    p2r_put32(p + 4, a);
    p2r_put32(p + 8, b);
    p2r_put32(p + 12, c);
    p2r_put32(p + 16, d);
    p2r_put32(p + 20, e);
    p2r_put32(p + 24, f);
    p2r_put32(p + 28, g);
    r->events_size += P2R_EVENT;
}

/* Records the current content of a page. */
static void p2r_load(pica200_recorder *r, uint32_t address, const uint8_t *data, uint32_t bytes) {
    p2r_name name = p2r_name_of(r->key, data, bytes);
    p2r_known *k = &r->known[p2r_finish(name.sum[0]) & (P2R_KNOWN - 1)];
    if (k->bytes != bytes || !p2r_same(&k->name, &name)) {
        uint64_t h[2];
        uint8_t *p;
        p2r_hash128(data, bytes, h);
        if (r->piece_count == P2R_PIECES) p2r_flush_pieces(r);
        p = r->pieces + r->pieces_size;
        p2r_put64(p, h[0]);
        p2r_put64(p + 8, h[1]);
        p2r_put64(p + 16, bytes);
        memcpy(p + P2R_PIECE, data, bytes);
        r->pieces_size += P2R_PIECE + bytes;
        r->piece_count++;
        k->name = name;
        k->bytes = bytes;
        k->id = r->next_id++;
    }
    p2r_event(r, 1, address, k->id, 0, 0, 0, 0, 0);
}

static int p2r_overlap(const p2r_region *a, const p2r_region *b) {
    return a->size > 0 && b->size > 0 && (uint64_t)a->address < (uint64_t)b->address + b->size &&
           (uint64_t)b->address < (uint64_t)a->address + a->size;
}

static int p2r_ready(pica200_recorder *r) {
    if (r == NULL || r->error != NULL) return 0;
    if (!r->begun) {
        p2r_fail(r, "pica200_record_begin was not called");
        return 0;
    }
    return 1;
}

static void p2r_each(pica200_recorder *r, uint64_t address, uint64_t size,
                     void (*f)(pica200_recorder *, p2r_region *, uint32_t, uint32_t, uint32_t));

/* Notes that page n may have changed. */
static void p2r_changed(pica200_recorder *r, p2r_region *g, uint32_t n, uint32_t from, uint32_t to) {
    (void)r;
    (void)from;
    (void)to;
    g->pages[n].lo = g->pages[n].hi = 0;
}

#ifdef P2R_PAGE_TABLES
/* Linux write-protects pages and removes the protection itself at the first write, so
 * the page tables show which pages were written (userfaultfd, WP_ASYNC; PAGEMAP_SCAN).
 * The structures are those of linux/userfaultfd.h and linux/fs.h, which older systems
 * do not have. */
#ifndef __cplusplus
extern long syscall(long number, ...);
#endif

static int p2r_open_tables(pica200_recorder *r) {
    uint64_t api[3] = {0xAA, 1 << 12 | 1 << 13 | 1 << 15, 0}; /* protect shared and empty memory, asynchronously */
    r->faults = (int)syscall(SYS_userfaultfd, 0x80000 | 1); /* O_CLOEXEC; only faults in user mode */
    if (r->faults >= 0 && ioctl(r->faults, 0xC018AA3Fu, api) == 0) r->tables = open("/proc/self/pagemap", O_RDONLY | 0x80000);
    return r->tables >= 0;
}

static void p2r_close_tables(pica200_recorder *r) {
    if (r->faults >= 0) close(r->faults);
    if (r->tables >= 0) close(r->tables);
    r->faults = r->tables = -1;
}

static int p2r_register_tables(pica200_recorder *r, const p2r_mapping *m) {
    uint64_t range[4]; /* start, bytes, mode, possible operations */
    range[0] = (uint64_t)(uintptr_t)m->data;
    range[1] = m->size;
    range[2] = 2; /* write protection */
    range[3] = 0;
    return ioctl(r->faults, 0xC020AA00u, range) == 0;
}

static void p2r_scan_tables(pica200_recorder *r, const p2r_mapping *m, uint64_t from, uint64_t to) {
    uint64_t found[256][3], arg[12], base = (uint64_t)(uintptr_t)m->data - m->address;
    long i, n;
    while (from < to) {
        memset(arg, 0, sizeof arg);
        arg[0] = sizeof arg;
        arg[1] = 3; /* protect the pages found, fail on untracked memory */
        arg[2] = base + from;
        arg[3] = base + to;
        arg[5] = (uint64_t)(uintptr_t)found;
        arg[6] = 256;
        arg[9] = arg[11] = 2; /* only written pages */
        n = ioctl(r->tables, 0xC0606610u, arg);
        if (n < 0) { /* unmapped, or mapped again */
            p2r_each(r, from, to - from, p2r_changed);
            return;
        }
        for (i = 0; i < n; i++) p2r_each(r, found[i][0] - base, found[i][1] - found[i][0], p2r_changed);
        if (arg[4] <= base + from) return;
        from = arg[4] - base;
    }
}
#endif

#ifdef P2R_WRITE_WATCH
/* Windows tracks writes to memory allocated with MEM_WRITE_WATCH. */
#ifndef _WINDOWS_ /* as windows.h declares it */
__declspec(dllimport) unsigned __stdcall GetWriteWatch(unsigned long flags, void *base, size_t bytes, void **pages,
                                                       uintptr_t *count, unsigned long *page_bytes);
#endif

static int p2r_register_watch(const p2r_mapping *m) {
    void *page;
    uintptr_t n = 1;
    unsigned long bytes;
    return GetWriteWatch(0, (void *)m->data, m->size, &page, &n, &bytes) == 0;
}

static void p2r_scan_watch(pica200_recorder *r, const p2r_mapping *m, uint64_t from, uint64_t to) {
    void *found[256];
    const uint8_t *base = m->data - m->address;
    uintptr_t n = 256, i;
    unsigned long bytes;
    while (n == 256) { /* there may be more */
        if (GetWriteWatch(1 /* reset */, (void *)(base + from), (size_t)(to - from), found, &n, &bytes) != 0) {
            p2r_each(r, from, to - from, p2r_changed);
            return;
        }
        for (i = 0; i < n; i++) p2r_each(r, (uint64_t)((const uint8_t *)found[i] - base), bytes, p2r_changed);
    }
}
#endif

#ifdef P2R_MPROTECT
/* Pages are write-protected, and the signal handler removes the protection at the first
 * write. The handler finds the state of a page in blocks of 1 MiB of the host's address
 * space, which are never freed. The state is set after the protection was removed and
 * before it is added, so a page is never marked as written while it is protected. */
enum { P2R_BLOCK_BITS = 20, P2R_BLOCKS = 1024, P2R_LOCKED = 1, P2R_WRITTEN = 2, P2R_SINGLE = 8192 };

typedef struct p2r_block {
    struct p2r_block *next; /* next block with the same hash */
    uintptr_t number;       /* address >> P2R_BLOCK_BITS */
    pica200_recorder *owner;
    uint8_t written; /* some page is P2R_WRITTEN */
    uint8_t pages[(1 << P2R_BLOCK_BITS) / P2R_PAGE]; /* P2R_LOCKED, P2R_WRITTEN; 0: not the recorder's */
} p2r_block;

static p2r_block *p2r_blocks[P2R_BLOCKS];
static struct sigaction p2r_handlers[2]; /* of the host, for SIGSEGV and SIGBUS */
static int p2r_users;                    /* recorders */
static uint32_t p2r_lifted;              /* pages unprotected since the last command */

static p2r_block *p2r_block_at(uintptr_t at) {
    uintptr_t number = at >> P2R_BLOCK_BITS;
    p2r_block *b = __atomic_load_n(&p2r_blocks[number % P2R_BLOCKS], __ATOMIC_ACQUIRE);
    while (b != NULL && b->number != number) b = b->next;
    return b;
}

static uint8_t *p2r_state(p2r_block *b, uintptr_t at) { return &b->pages[at / P2R_PAGE % sizeof b->pages]; }

/* Removes the write protection of the page at an address; of the whole block once so
 * many single pages were unprotected that the system could run out of mappings. */
static int p2r_lift(p2r_block *b, uintptr_t at) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = b->number << P2R_BLOCK_BITS, a = at & ~(page - 1), end = a + page, i;
    if (__atomic_add_fetch(&p2r_lifted, 1, __ATOMIC_RELAXED) > P2R_SINGLE) {
        while (a > start && __atomic_load_n(p2r_state(b, a - page), __ATOMIC_RELAXED) != 0) a -= page;
        while (end < start + (1u << P2R_BLOCK_BITS) && __atomic_load_n(p2r_state(b, end), __ATOMIC_RELAXED) != 0) end += page;
    }
    if (mprotect((void *)a, end - a, PROT_READ | PROT_WRITE) != 0) return 0;
    for (i = a; i < end; i += P2R_PAGE) __atomic_store_n(p2r_state(b, i), P2R_WRITTEN, __ATOMIC_RELEASE);
    __atomic_store_n(&b->written, 1, __ATOMIC_RELEASE);
    return 1;
}

static void p2r_fault(int sig, siginfo_t *info, void *context) {
    static uintptr_t last;
    static uint32_t again;
    struct sigaction *host = &p2r_handlers[sig == SIGBUS];
    uintptr_t at = (uintptr_t)info->si_addr;
    p2r_block *b = info->si_code > 0 ? p2r_block_at(at) : NULL;
    int state = b == NULL ? 0 : __atomic_load_n(p2r_state(b, at), __ATOMIC_ACQUIRE), before = errno, lifted;
    if (state != 0) {
        /* Another thread may have removed the protection already; a fault that repeats has another cause. */
        if (state == P2R_LOCKED || __atomic_exchange_n(&last, at, __ATOMIC_RELAXED) != at) __atomic_store_n(&again, 0, __ATOMIC_RELAXED);
        if (__atomic_add_fetch(&again, 1, __ATOMIC_RELAXED) < 1000) {
            lifted = p2r_lift(b, at);
            errno = before;
            if (lifted) return;
        }
    }
    if (host->sa_flags & SA_SIGINFO) {
        host->sa_sigaction(sig, info, context);
    } else if (host->sa_handler != SIG_DFL && host->sa_handler != SIG_IGN) {
        host->sa_handler(sig);
    } else {
        sigaction(sig, host, NULL); /* the fault repeats, now with the host's handler */
        if (info->si_code <= 0) raise(sig);
    }
}

static void p2r_open_faults(void) {
    struct sigaction ours;
    if (p2r_users++ > 0) return;
    memset(&ours, 0, sizeof ours);
    ours.sa_sigaction = p2r_fault;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigaction(SIGSEGV, &ours, &p2r_handlers[0]);
    sigaction(SIGBUS, &ours, &p2r_handlers[1]);
}

static void p2r_close_faults(pica200_recorder *r) {
    static const int signals[2] = {SIGSEGV, SIGBUS};
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    struct sigaction now;
    size_t i, k;
    for (i = 0; i < P2R_BLOCKS; i++) {
        p2r_block *b;
        for (b = p2r_blocks[i]; b != NULL; b = b->next) {
            if (b->owner != r) continue;
            for (k = 0; k < sizeof b->pages; k++) {
                if (b->pages[k] == P2R_LOCKED)
                    mprotect((void *)(((b->number << P2R_BLOCK_BITS) + k * P2R_PAGE) & ~(page - 1)), page, PROT_READ | PROT_WRITE);
                __atomic_store_n(&b->pages[k], 0, __ATOMIC_RELEASE);
            }
            b->owner = NULL;
        }
    }
    if (--p2r_users > 0) return;
    for (i = 0; i < 2; i++) /* unless the host installed another handler, which may call this one */
        if (sigaction(signals[i], NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == p2r_fault)
            sigaction(signals[i], &p2r_handlers[i], NULL);
}

static int p2r_register_faults(pica200_recorder *r, const p2r_mapping *m) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)m->data, end = at + m->size;
    if (at % page != 0 || m->size % page != 0) return 0;
    for (; at < end; at += P2R_PAGE) {
        p2r_block *b = p2r_block_at(at);
        if (b == NULL) {
            p2r_block **place = &p2r_blocks[(at >> P2R_BLOCK_BITS) % P2R_BLOCKS];
            b = (p2r_block *)calloc(1, sizeof *b);
            if (b == NULL) return 0;
            b->number = at >> P2R_BLOCK_BITS;
            b->next = *place;
            __atomic_store_n(place, b, __ATOMIC_RELEASE);
        }
        if (b->owner != NULL && b->owner != r) return 0;
        b->owner = r;
        __atomic_store_n(p2r_state(b, at), P2R_WRITTEN, __ATOMIC_RELEASE);
        __atomic_store_n(&b->written, 1, __ATOMIC_RELEASE);
    }
    return 1;
}

/* Reports and protects again the written pages of a range, block by block. */
static void p2r_scan_faults(pica200_recorder *r, const p2r_mapping *m, uint64_t from, uint64_t to) {
    uintptr_t base = (uintptr_t)m->data - m->address, at = base + (uintptr_t)from, end = base + (uintptr_t)to, next, a, i;
    for (; at < end; at = next) {
        p2r_block *b = p2r_block_at(at);
        next = ((at >> P2R_BLOCK_BITS) + 1) << P2R_BLOCK_BITS;
        if (b == NULL || !__atomic_exchange_n(&b->written, 0, __ATOMIC_ACQ_REL)) continue;
        for (a = at; a < next && a < end; a = i) {
            for (i = a; i < next && i < end && __atomic_load_n(p2r_state(b, i), __ATOMIC_ACQUIRE) == P2R_WRITTEN; i += P2R_PAGE)
                __atomic_store_n(p2r_state(b, i), P2R_LOCKED, __ATOMIC_RELEASE);
            if (i == a) {
                i += P2R_PAGE;
                continue;
            }
            if (mprotect((void *)a, i - a, PROT_READ) != 0) { /* unmapped, or too many mappings */
                uintptr_t k;
                for (k = a; k < i; k += P2R_PAGE) __atomic_store_n(p2r_state(b, k), P2R_WRITTEN, __ATOMIC_RELEASE);
                mprotect((void *)a, i - a, PROT_READ | PROT_WRITE);
            }
            p2r_each(r, a - base, i - a, p2r_changed);
        }
        for (a = 0; a < sizeof b->pages; a++) /* also those outside of the range */
            if (__atomic_load_n(&b->pages[a], __ATOMIC_ACQUIRE) == P2R_WRITTEN) __atomic_store_n(&b->written, 1, __ATOMIC_RELEASE);
    }
}
#endif

/* Starts to track writes through a mapping; returns 0 if it cannot. */
static int p2r_register_mapping(pica200_recorder *r, const p2r_mapping *m) {
    (void)m;
    switch (r->tracks) {
#ifdef P2R_PAGE_TABLES
    case P2R_BY_TABLES: return p2r_register_tables(r, m);
#endif
#ifdef P2R_WRITE_WATCH
    case P2R_BY_WATCH: return p2r_register_watch(m);
#endif
#ifdef P2R_MPROTECT
    case P2R_BY_FAULTS: return p2r_register_faults(r, m);
#endif
    default: return 0;
    }
}

/* Reports the pages written in a part of a mapping, and tracks them again. */
static void p2r_scan(pica200_recorder *r, const p2r_mapping *m, uint64_t from, uint64_t to) {
    if (from < m->address) from = m->address;
    if (to > (uint64_t)m->address + m->size) to = (uint64_t)m->address + m->size;
    if (from >= to) return;
    switch (r->tracks) {
#ifdef P2R_PAGE_TABLES
    case P2R_BY_TABLES: p2r_scan_tables(r, m, from, to); break;
#endif
#ifdef P2R_WRITE_WATCH
    case P2R_BY_WATCH: p2r_scan_watch(r, m, from, to); break;
#endif
#ifdef P2R_MPROTECT
    case P2R_BY_FAULTS: p2r_scan_faults(r, m, from, to); break;
#endif
    default: break;
    }
}

/* Starts to track the chunk of page n. */
static void p2r_watch(pica200_recorder *r, p2r_region *g, uint32_t n) {
    uint32_t chunk = n >> (P2R_CHUNK_BITS - 12);
    uint64_t from = g->address + ((uint64_t)chunk << P2R_CHUNK_BITS), to = from + (1u << P2R_CHUNK_BITS);
    size_t i;
    if (g->watched[chunk]) return;
    g->watched[chunk] = 1;
    if (to > (uint64_t)g->address + g->size) to = (uint64_t)g->address + g->size;
    for (i = 0; i < r->mapping_count; i++) p2r_scan(r, &r->mappings[i], from, to);
}

/* Reports the pages written since the last command. */
static void p2r_find_written(pica200_recorder *r) {
    size_t k;
    int i;
#ifdef P2R_MPROTECT
    __atomic_store_n(&p2r_lifted, 0, __ATOMIC_RELAXED);
#endif
    for (i = 0; i < r->region_count; i++) {
        const p2r_region *g = &r->regions[i];
        uint32_t chunks = (g->page_count + (1u << (P2R_CHUNK_BITS - 12)) - 1) >> (P2R_CHUNK_BITS - 12), a = 0, b;
        for (; a < chunks && !g->compared; a = b + 1) {
            for (b = a; b < chunks && g->watched[b]; b++) continue;
            for (k = 0; a < b && k < r->mapping_count; k++) {
                uint64_t from = g->address + ((uint64_t)a << P2R_CHUNK_BITS), to = g->address + ((uint64_t)b << P2R_CHUNK_BITS);
                if (to > (uint64_t)g->address + g->size) to = (uint64_t)g->address + g->size;
                p2r_scan(r, &r->mappings[k], from, to);
            }
        }
    }
}

static void p2r_untrack(pica200_recorder *r) {
#ifdef P2R_PAGE_TABLES
    p2r_close_tables(r);
#endif
#ifdef P2R_MPROTECT
    if (r->tracks == P2R_BY_FAULTS) p2r_close_faults(r);
#endif
    r->tracks = P2R_BY_NOBODY;
}

/* Adds a mapping; returns 0 if there are too many. */
static int p2r_add_mapping(pica200_recorder *r, const uint8_t *data, uint32_t address, uint32_t size) {
    p2r_mapping *m = r->mapping_count > 0 ? &r->mappings[r->mapping_count - 1] : NULL;
    if (m != NULL && m->data + m->size == data && (uint64_t)m->address + m->size == address) { /* continues the last one */
        m->size += size;
        return 1;
    }
    if (r->mapping_count == r->mapping_room) {
        size_t room = r->mapping_room ? 2 * r->mapping_room : 16;
        m = r->mapping_count >= P2R_MAPPINGS ? NULL : (p2r_mapping *)realloc(r->mappings, room * sizeof *m);
        if (m == NULL) return 0;
        r->mappings = m;
        r->mapping_room = room;
    }
    m = &r->mappings[r->mapping_count++];
    m->data = data;
    m->address = address;
    m->size = size;
    return 1;
}

/* Removes host addresses from the known mappings, because other memory is mapped there
 * now. What was written through the old mappings can no longer be found out. */
static int p2r_unmap(pica200_recorder *r, const uint8_t *data, uint32_t size) {
    uintptr_t from = (uintptr_t)data, to = from + size;
    size_t i;
    for (i = 0; i < r->mapping_count; i++) {
        p2r_mapping *m = &r->mappings[i], was = *m;
        uintptr_t start = (uintptr_t)was.data, end = start + was.size, a = from > start ? from : start, b = to < end ? to : end;
        if (a >= b) continue;
        p2r_each(r, was.address + (uint64_t)(a - start), (uint64_t)(b - a), p2r_changed);
        if (a > start) {
            m->size = (uint32_t)(a - start);
            if (b < end && !p2r_add_mapping(r, was.data + (b - start), was.address + (uint32_t)(b - start), (uint32_t)(end - b))) return 0;
        } else if (b < end) {
            m->data += b - start;
            m->address += (uint32_t)(b - start);
            m->size = (uint32_t)(end - b);
        } else {
            *m = r->mappings[--r->mapping_count];
            i--;
        }
    }
    return 1;
}

static void p2r_map(pica200_recorder *r, const void *data, uint32_t address, uint32_t size) {
    p2r_mapping m;
    int i, tracked = 0;
    m.data = (const uint8_t *)data;
    m.address = address;
    m.size = size;
    if (!p2r_unmap(r, m.data, size) || !p2r_add_mapping(r, m.data, address, size)) {
        p2r_untrack(r); /* from now on all memory is compared */
        return;
    }
    if (p2r_register_mapping(r, &m)) return;
    for (i = 0; i < r->region_count; i++) { /* compare this region; if it was the last tracked one, compare all */
        p2r_region *g = &r->regions[i];
        if (address < (uint64_t)g->address + g->size && g->address < (uint64_t)address + size) g->compared = 1;
        tracked = tracked || (g->size > 0 && !g->compared);
    }
    if (!tracked) p2r_untrack(r);
}

/* Starts to track writes, if the system can. */
static void p2r_track(pica200_recorder *r, int track) {
    int i;
#ifdef P2R_PAGE_TABLES
    if (track == PICA200_TRACK_AUTO && p2r_open_tables(r)) r->tracks = P2R_BY_TABLES;
#endif
#ifdef P2R_WRITE_WATCH
    if (track == PICA200_TRACK_AUTO) r->tracks = P2R_BY_WATCH;
#endif
#ifdef P2R_MPROTECT
    if (track == PICA200_TRACK_MPROTECT) {
        p2r_open_faults();
        r->tracks = P2R_BY_FAULTS;
    }
#endif
    (void)track;
    if (r->tracks == P2R_BY_NOBODY) p2r_untrack(r);
    for (i = 0; i < r->region_count && r->tracks; i++)
        if (r->regions[i].size > 0) p2r_map(r, r->regions[i].data, r->regions[i].address, r->regions[i].size);
}

/* Records the bytes from..to of page n that differ from what a replay has; from and to
 * are offsets in the page. */
static void p2r_compare(pica200_recorder *r, p2r_region *g, uint32_t n, uint32_t from, uint32_t to) {
    static const uint8_t zeros[P2R_PAGE] = {0};
    p2r_page *p = &g->pages[n];
    const uint8_t *now = g->data + (size_t)n * P2R_PAGE, *had = p->copy == NULL ? zeros : p->copy;
    uint32_t a = to, b = from; /* range to record, empty */
    if (r->tracks && !g->compared) p2r_watch(r, g, n);
    if (!r->told && (!r->tracks || g->compared) && p->when != r->when) {
        p->when = r->when;
        p->lo = p->hi = 0;
    }
    if (p->lo <= from && to <= p->hi) return;
    if (memcmp(now + from, had + from, to - from) != 0) {
        a = from;
        b = to;
        while (now[a] == had[a]) a++;
        while (now[b - 1] == had[b - 1]) b--;
    }
    if (p->told_lo < to && from < p->told_hi) { /* even if memory equals the copy from before the GPU drew */
        uint32_t c = p->told_lo > from ? p->told_lo : from, d = p->told_hi < to ? p->told_hi : to;
        if (c < a) a = c;
        if (d > b) b = d;
        if (c == p->told_lo) p->told_lo = (uint16_t)d;
        else if (d == p->told_hi) p->told_hi = (uint16_t)c;
    }
    if (a < b) {
        if (p->copy == NULL) p->copy = (uint8_t *)calloc(P2R_PAGE, 1);
        if (p->copy == NULL) {
            p2r_fail(r, "no memory for a copy of what was recorded");
            return;
        }
        memcpy(p->copy + a, now + a, b - a);
        p2r_load(r, g->address + n * P2R_PAGE + a, now + a, b - a);
    }
    if (p->lo < p->hi && from <= p->hi && p->lo <= to) {
        if (from > p->lo) from = p->lo;
        if (to < p->hi) to = p->hi;
    }
    p->lo = (uint16_t)from;
    p->hi = (uint16_t)to;
}

/* Notes that a replay has the current bytes from..to of page n. */
static void p2r_take_over(pica200_recorder *r, p2r_region *g, uint32_t n, uint32_t from, uint32_t to) {
    p2r_page *p = &g->pages[n];
    const uint8_t *now = g->data + (size_t)n * P2R_PAGE;
    p->drawn = 1;
    if (from <= p->told_lo && p->told_hi <= to) p->told_lo = p->told_hi = 0;
    if (p->copy == NULL) {
        if (now[from] == 0 && memcmp(now + from, now + from + 1, to - from - 1) == 0) return;
        p->copy = (uint8_t *)calloc(P2R_PAGE, 1);
        if (p->copy == NULL) {
            p2r_fail(r, "no memory for a copy of what the GPU wrote");
            return;
        }
    }
    memcpy(p->copy + from, now + from, to - from);
}

/* Notes that the CPU wrote to page n, as the host reported. */
static void p2r_forget(pica200_recorder *r, p2r_region *g, uint32_t n, uint32_t from, uint32_t to) {
    p2r_page *p = &g->pages[n];
    p2r_changed(r, g, n, from, to);
    if (!p->drawn) return;
    if (p->told_lo < p->told_hi) {
        if (from > p->told_lo) from = p->told_lo;
        if (to < p->told_hi) to = p->told_hi;
    }
    p->told_lo = (uint16_t)from;
    p->told_hi = (uint16_t)to;
}

/* Calls f for each page that overlaps a range. */
static void p2r_each(pica200_recorder *r, uint64_t address, uint64_t size,
                     void (*f)(pica200_recorder *, p2r_region *, uint32_t, uint32_t, uint32_t)) {
    int i;
    for (i = 0; i < r->region_count; i++) {
        p2r_region *g = &r->regions[i];
        uint64_t from = address > g->address ? address : g->address, end = (uint64_t)g->address + g->size;
        uint64_t to = address + size < end ? address + size : end;
        while (from < to && r->error == NULL) {
            uint32_t at = (uint32_t)(from - g->address), first = at % P2R_PAGE;
            uint64_t last = first + (to - from) < (uint64_t)P2R_PAGE ? first + (to - from) : (uint64_t)P2R_PAGE;
            f(r, g, at / P2R_PAGE, first, (uint32_t)last);
            from += last - first;
        }
    }
}

/* Records a range that the GPU is about to read. */
static void p2r_reads(pica200_recorder *r, uint64_t address, uint64_t size) { p2r_each(r, address, size, p2r_compare); }

/* Notes a range that the command writes. There are few: the targets of a list, the lines of a copy. */
static void p2r_writes(pica200_recorder *r, uint64_t address, uint64_t size) {
    p2r_span *p = r->written;
    size_t i, from = r->written_count > 8 ? r->written_count - 8 : 0;
    for (i = from; i < r->written_count; i++)
        if (p[i].address == address && p[i].size == size) return;
    if (r->written_count == r->written_room) {
        size_t room = r->written_room ? 2 * r->written_room : 64;
        p = (p2r_span *)realloc(r->written, room * sizeof *p);
        if (p == NULL) {
            p2r_fail(r, "no memory for the ranges that a command writes");
            return;
        }
        r->written = p;
        r->written_room = room;
    }
    r->written[r->written_count].address = address;
    r->written[r->written_count].size = size;
    r->written_count++;
}

/* Returns the host's pointer to a range inside one region, or NULL. */
static const uint8_t *p2r_at(const pica200_recorder *r, uint32_t address, uint64_t size) {
    int i;
    for (i = 0; i < r->region_count; i++) {
        const p2r_region *g = &r->regions[i];
        if (address >= g->address && (uint64_t)address + size <= (uint64_t)g->address + g->size)
            return g->data + (address - g->address);
    }
    return NULL;
}

static uint32_t p2r_get32(const uint8_t *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Returns n bits of an internal register, from bit at. */
static uint32_t p2r_bits(const pica200_recorder *r, uint32_t reg, int at, int n) {
    return r->regs[reg] >> at & ((1u << n) - 1);
}

/* Returns the bytes from the start of an image to the end of the used cols columns and
 * rows rows. tile: pixels per side of a tile; 0: not tiled. */
static uint64_t p2r_image(uint32_t tile, uint64_t width, uint64_t cols, uint64_t rows, uint64_t pixel) {
    if (cols == 0 || rows == 0) return 0;
    if (tile == 0) return ((rows - 1) * width + cols) * pixel;
    return ((rows - 1) / tile * tile * width + (cols + tile - 1) / tile * tile * tile) * pixel;
}

/* Reports whether the combiners or the lighting of a draw use texture unit i. */
static int p2r_samples(const pica200_recorder *r, uint32_t i) {
    static const uint32_t stages[6] = {0x0C0, 0x0C8, 0x0D0, 0x0D8, 0x0F0, 0x0F8};
    int s, half, k;
    for (s = 0; s < 6; s++)
        for (half = 0; half < 32; half += 16) {
            uint32_t operation = p2r_bits(r, stages[s] + 2, half, 4);
            int sources = operation == 0 ? 1 : operation == 4 || operation > 7 ? 3 : 2;
            for (k = 0; k < sources; k++)
                if (p2r_bits(r, stages[s], half + 4 * k, 4) == 3 + i) return 1;
        }
    if (!p2r_bits(r, 0x08F, 0, 1)) return 0; /* no lighting */
    return (p2r_bits(r, 0x1C3, 28, 2) != 0 && p2r_bits(r, 0x1C3, 22, 2) == i) ||
           (p2r_bits(r, 0x1C3, 0, 1) != 0 && p2r_bits(r, 0x1C3, 24, 2) == i);
}

/* Records the textures of a draw, all mipmap levels and cube faces. */
static void p2r_textures(pica200_recorder *r) {
    static const uint32_t units[3] = {0x082, 0x092, 0x09A}, types[3] = {0x08E, 0x096, 0x09E};
    static const uint8_t bits[16] = {32, 24, 16, 16, 16, 16, 16, 8, 8, 8, 4, 4, 4, 8, 0, 0}; /* of a texel, by format */
    uint32_t i, level, side, kind;
    for (i = 0; i < 3; i++) {
        uint32_t reg = units[i], h = p2r_bits(r, reg, 0, 11), w = p2r_bits(r, reg, 16, 11);
        uint32_t last = p2r_bits(r, reg + 2, 16, 4), address = p2r_bits(r, reg + 3, 0, 28);
        uint64_t size = 0;
        if (!p2r_bits(r, 0x080, (int)i, 1) || w == 0 || h == 0 || !p2r_samples(r, i)) continue;
        for (level = 0; level <= last; level++) {
            uint64_t lw = w >> level ? w >> level : 1, lh = h >> level ? h >> level : 1;
            size += ((lw + 7) & ~7u) * ((lh + 7) & ~7u) * bits[p2r_bits(r, types[i], 0, 4)] / 8;
            if (lw == 1 && lh == 1) break;
        }
        kind = i == 0 ? p2r_bits(r, reg + 1, 28, 3) : 0;
        if (kind == 5) continue; /* disabled */
        p2r_reads(r, (uint64_t)address << 3, size);
        for (side = 1; side < 6 && (kind == 1 || kind == 4); side++)
            p2r_reads(r, (uint64_t)((address & 0xFC00000u) | p2r_bits(r, reg + 3 + side, 0, 22)) << 3, size);
    }
}

/* Records a buffer that a draw changes in part: the undrawn pixels keep their old values. */
static void p2r_buffer(pica200_recorder *r, uint32_t location, uint32_t pixel) {
    uint64_t w = p2r_bits(r, 0x11E, 0, 11), h = p2r_bits(r, 0x11E, 12, 10) + 1;
    uint64_t address = (uint64_t)p2r_bits(r, location, 0, 28) << 3;
    uint64_t size = p2r_image(p2r_bits(r, 0x11B, 0, 1) ? 32 : 8, w, w, h, pixel);
    if (size == 0) return;
    p2r_reads(r, address, size);
    p2r_writes(r, address, size);
}

static void p2r_targets(pica200_recorder *r) {
    static const uint8_t color[8] = {4, 3, 2, 2, 2, 0, 0, 0}, depth[4] = {2, 0, 3, 4}; /* bytes of a pixel */
    uint32_t mode = p2r_bits(r, 0x100, 0, 2), format = p2r_bits(r, 0x116, 0, 2), test = p2r_bits(r, 0x107, 4, 3);
    int stencil = p2r_bits(r, 0x105, 0, 1) && format == 3;
    int reads = p2r_bits(r, 0x114, 0, 2) != 0, writes = p2r_bits(r, 0x115, 0, 2) != 0;
    int used = mode == 0 && ((writes && (p2r_bits(r, 0x107, 12, 1) || stencil)) ||
                             (reads && ((p2r_bits(r, 0x107, 0, 1) && test > 1) || stencil)));
    if (p2r_bits(r, 0x113, 0, 4) != 0 && (p2r_bits(r, 0x107, 8, 4) != 0 || mode != 0))
        p2r_buffer(r, 0x11D, color[p2r_bits(r, 0x117, 16, 3)]);
    if (used || (mode == 1 && reads && p2r_bits(r, 0x126, 24, 2) >= 2)) p2r_buffer(r, 0x11C, depth[format]);
}

/* Finds the smallest and the largest index of a draw; returns 0 if there is none. */
static int p2r_indices(const pica200_recorder *r, const uint8_t *p, int wide, uint32_t n, uint32_t *least, uint32_t *most) {
    /* In the variable mode of geometry shaders, the number of vertices precedes each primitive. */
    int counted = p2r_bits(r, 0x229, 0, 2) == 2 && p2r_bits(r, 0x252, 0, 8) == 1;
    uint32_t i, v, left = 0;
    *least = 0xFFFFFFFFu;
    *most = 0;
    for (i = 0; i < n; i++) {
        v = wide ? (uint32_t)p[2 * (size_t)i] | (uint32_t)p[2 * (size_t)i + 1] << 8 : p[i];
        if (counted && left == 0) {
            left = v;
            continue;
        }
        left -= counted != 0;
        if (v < *least) *least = v;
        if (v > *most) *most = v;
    }
    return *least <= *most;
}

/* Records the indices of a draw, and its vertices from the first to the last one used. */
static void p2r_arrays(pica200_recorder *r, int indexed) {
    uint32_t base = p2r_bits(r, 0x200, 1, 28) << 4, n = r->regs[0x228], inputs = p2r_bits(r, 0x2B9, 0, 4) + 1;
    uint32_t first = r->regs[0x22A], last, i, k;
    if (n == 0 || n > P2R_VERTICES) return;
    last = first + (n - 1);
    if (indexed) {
        int wide = (int)(r->regs[0x227] >> 31);
        uint32_t at = base + p2r_bits(r, 0x227, 0, 28);
        uint64_t size = (uint64_t)n << wide;
        const uint8_t *p = p2r_at(r, at, size);
        p2r_reads(r, at, size);
        if (p == NULL || !p2r_indices(r, p, wide, n, &first, &last)) return;
    }
    for (i = 0; i < 12; i++) {
        uint32_t reg = 0x203 + 3 * i, count = p2r_bits(r, reg + 2, 28, 4), stride = p2r_bits(r, reg + 2, 16, 8);
        int needed = 0;
        for (k = 0; k < count && k < 12; k++) needed |= p2r_bits(r, reg + 1 + k / 8, (int)(k % 8 * 4), 4) < inputs;
        if (needed)
            p2r_reads(r, (uint64_t)(uint32_t)(base + p2r_bits(r, reg, 0, 28)) + (uint64_t)first * stride,
                      (uint64_t)(last - first + 1) * stride);
    }
}

/* Records the textures and targets of a draw, but not its vertex arrays. */
static void p2r_draw(pica200_recorder *r) {
    if (r->drawn) return;
    r->drawn = 1;
    p2r_textures(r);
    p2r_targets(r);
}

/* Handles a write to the bits mask of an internal register. */
static void p2r_register(pica200_recorder *r, uint32_t id, uint32_t value, uint32_t mask) {
    uint32_t now;
    if (id >= P2R_REGS || mask == 0) return;
    now = (r->regs[id] & ~mask) | (value & mask);
    if (now != r->regs[id] && id >= 0x080 && id < 0x200) r->drawn = 0;
    r->regs[id] = now;
    switch (id) {
    case 0x010: r->ended = 1; break;
    case 0x22E:
    case 0x22F:
        if ((value & mask) == 0) break;
        p2r_arrays(r, id == 0x22F);
        p2r_draw(r);
        break;
    case 0x232: r->fixed_words = 0; break;
    case 0x233:
    case 0x234:
    case 0x235:
        if ((r->regs[0x232] & 15) == 15) { /* immediate vertices, in the list */
            p2r_draw(r);
        } else if (++r->fixed_words == 3) {
            r->fixed_words = 0;
            r->regs[0x232] = (r->regs[0x232] & ~15u) | ((r->regs[0x232] + 1) & 15);
        }
        break;
    case 0x23C:
    case 0x23D:
        if (value != 0) {
            r->jump_to = p2r_bits(r, id - 2, 0, 29) << 3;
            r->jump_bytes = p2r_bits(r, id - 4, 0, 21) << 3;
        }
        r->regs[id] = 0;
        break;
    default: break;
    }
}

/* Follows a command list and those that it jumps to. */
static void p2r_list(pica200_recorder *r, uint32_t address, uint32_t bytes) {
    uint32_t jumps, followed = 0;
    r->drawn = r->ended = 0; /* memory may have changed since the last draw */
    for (jumps = 0; jumps <= P2R_JUMPS && r->error == NULL; jumps++) {
        uint32_t words = bytes / 4, at = 0, i, n, id, mask, header;
        const uint8_t *p = p2r_at(r, address, bytes);
        if (p == NULL || words > P2R_LIST_WORDS - followed) return;
        followed += words;
        p2r_reads(r, address, bytes);
        r->jump_bytes = 0;
        while (words - at >= 2 && !r->ended && r->jump_bytes == 0) {
            header = p2r_get32(p + 4 * (size_t)at + 4);
            n = header >> 20 & 0xFF;
            if (n > words - at - 2) return; /* truncated: the GPU hangs */
            mask = ((header >> 16 & 1) | (header >> 17 & 1) << 8 | (header >> 18 & 1) << 16 | (header >> 19 & 1) << 24) * 0xFF;
            id = header & 0xFFFF;
            p2r_register(r, id, p2r_get32(p + 4 * (size_t)at), mask);
            for (i = 0; i < n && !r->ended; i++) {
                id += header >> 31;
                p2r_register(r, id, p2r_get32(p + 4 * ((size_t)at + 2 + i)), mask);
            }
            at += (2 + n + 1) & ~1u;
            if (at > words) at = words;
        }
        if (r->ended || r->jump_bytes == 0) return;
        address = r->jump_to;
        bytes = r->jump_bytes;
    }
}

static void p2r_fill(pica200_recorder *r, uint32_t start, uint32_t end) {
    start &= ~15u;
    end &= ~15u;
    if (end > start) p2r_writes(r, start, end - start);
}

static void p2r_transfer(pica200_recorder *r, uint32_t input, uint32_t output, uint32_t input_dim, uint32_t output_dim,
                         uint32_t flags) {
    static const uint8_t pixel[8] = {4, 3, 2, 2, 2, 0, 0, 0};
    int both = flags >> 5 & 1, to = both || (flags >> 1 & 1), from = both || !(flags >> 1 & 1);
    uint32_t tile = flags >> 16 & 1 ? 32 : 8, scale = flags >> 24 & 3, in_width = input_dim & 0xFFFF;
    uint32_t w = output_dim & 0xFFFF, h = output_dim >> 16, x = scale != 0, y = scale == 2;
    uint64_t size;
    if (in_width == 0 || scale == 3) return;
    input &= ~15u;
    output &= ~15u;
    /* A flipped and cropped picture is written at a higher address. */
    if ((flags & 5) == 5 && in_width >= w && h > 0) output += (in_width - w) * (h - 1) * pixel[flags >> 12 & 7];
    w >>= x;
    h >>= y;
    p2r_reads(r, input, p2r_image(from ? tile : 0, in_width, (uint64_t)w << x, (uint64_t)h << y, pixel[flags >> 8 & 7]));
    size = p2r_image(to ? tile : 0, w, w, h, pixel[flags >> 12 & 7]);
    if (to && (w % tile != 0 || h % tile != 0)) p2r_reads(r, output, size); /* tiles that are written in part only */
    p2r_writes(r, output, size);
}

/* Calls f for each line of the input or the output of a copy. */
static void p2r_lines(pica200_recorder *r, uint64_t address, uint32_t bytes, uint32_t line,
                      void (*f)(pica200_recorder *, uint64_t, uint64_t)) {
    uint32_t gap = (line >> 16) * 16, length = gap == 0 ? bytes : (line & 0xFFFF) * 16, n;
    while (bytes > 0 && length > 0 && address < 0x100000000u && r->error == NULL) {
        n = bytes < length ? bytes : length;
        f(r, address, n);
        address += (uint64_t)n + gap;
        bytes -= n;
    }
}

static void p2r_copy(pica200_recorder *r, uint32_t input, uint32_t output, uint32_t bytes, uint32_t input_line,
                     uint32_t output_line) {
    p2r_lines(r, input & ~15u, bytes & ~15u, input_line, p2r_reads);
    p2r_lines(r, output & ~15u, bytes & ~15u, output_line, p2r_writes);
}

/* Records the framebuffers that the screens show, line by line. */
static void p2r_screens(pica200_recorder *r) {
    static const uint8_t pixel[8] = {4, 3, 2, 2, 2, 4, 4, 4};
    uint32_t half, side, x;
    for (half = 0; half < 2; half++) {
        const uint32_t *e = r->ext + (0x400 + 0x100 * half) / 4;
        uint32_t format = e[0x70 / 4], mode = format >> 4 & 3, second = e[0x78 / 4] & 1;
        uint32_t lines = half == 0 ? (mode == 0 && !(format >> 6 & 1) ? 800 : 400) : (mode == 0 ? 320 : 160);
        for (side = 0; side < 2; side++) {
            uint32_t address = side == 0 ? e[(second ? 0x6C : 0x68) / 4] : e[(second ? 0x98 : 0x94) / 4];
            if (side == 1 && mode < 2) continue; /* one eye */
            for (x = 0; x < lines; x++) p2r_reads(r, (address & ~15u) + x * (e[0x90 / 4] & ~15u), 240 * pixel[format & 7]);
        }
    }
}

/* Copies a block of the state that the recorder tracks itself. */
static void p2r_take(const pica200_recorder *r, uint32_t block, uint32_t *words, uint32_t most) {
    uint32_t n = r->block_words[block] < most ? r->block_words[block] : most;
    if (n > 0) memcpy(words, r->blocks[block], n * sizeof *words);
}

/* Starts a command: memory may have changed. */
static int p2r_command(pica200_recorder *r) {
    if (!p2r_ready(r)) return 0;
    r->when++;
    r->written_count = 0;
    if (r->tracks) p2r_find_written(r);
    return 1;
}

/* Returns the length of a UTF-8 text, cut to at most most bytes between characters. */
static int p2r_cut(const char *text, int most) {
    int n = 0;
    while (n < most && text[n] != 0) n++;
    while (n > 0 && text[n] != 0 && ((unsigned char)text[n] & 0xC0) == 0x80) n--;
    return n;
}

static size_t p2r_meta(char *out, size_t room, const pica200_record_options *o) {
    const char *keys[3] = {"producer", "version", "title"}, *values[3];
    size_t n = 0, i, c;
    int length;
    values[0] = o->producer;
    values[1] = o->version;
    values[2] = o->title;
    for (i = 0; i < 3; i++) {
        if (values[i] == NULL || values[i][0] == 0) continue;
        c = n;
        length = p2r_cut(values[i], 200);
        n += (size_t)snprintf(out + n, room - n, "%s: %.*s\n", keys[i], length, values[i]);
        for (; c < n - 1; c++) /* one line each */
            if ((unsigned char)out[c] < ' ') out[c] = ' ';
    }
    if (o->fcram != 0) n += (size_t)snprintf(out + n, room - n, "fcram: %lu\n", (unsigned long)o->fcram);
    return n;
}

pica200_recorder *pica200_record_open(const char *path, const pica200_record_options *o) {
    static const uint8_t head[16] = {'P', 'I', 'C', 'A', 'T', 'R', 'A', 'C', 2, 0, 0, 0, 0, 0, 0, 0};
    char meta[1024];
    size_t n;
    int i, k;
    pica200_recorder *r = (pica200_recorder *)calloc(1, sizeof *r);
    if (r == NULL) return NULL;
    r->faults = r->tables = -1;
    if (path == NULL || o == NULL) {
        p2r_fail(r, "pica200_record_open: no path or no options");
        return r;
    }
    r->told = o->told != 0;
    p2r_make_key(r);
    r->known = (p2r_known *)calloc(P2R_KNOWN, sizeof *r->known);
    r->pieces = (uint8_t *)malloc((size_t)P2R_PIECES * (P2R_PIECE + P2R_PAGE));
    if (r->known == NULL || r->pieces == NULL) p2r_fail(r, "no memory for the recorder");
    if (o->region_count < 0 || o->region_count > PICA200_RECORD_MAX_REGIONS) {
        p2r_fail(r, "more than 8 memory regions");
    } else {
        for (i = 0; i < o->region_count; i++) {
            p2r_region *g = &r->regions[i];
            g->data = (const uint8_t *)o->regions[i].data;
            g->address = o->regions[i].address;
            g->size = o->regions[i].size;
            g->page_count = g->size / P2R_PAGE + (g->size % P2R_PAGE != 0);
            if (g->address % P2R_PAGE != 0 || (uint64_t)g->address + g->size > 0x100000000u)
                p2r_fail(r, "a memory region does not begin at a page, or ends behind the address space");
            if (g->data == NULL && g->size > 0) p2r_fail(r, "a memory region has no data");
            for (k = 0; k < i; k++)
                if (p2r_overlap(g, &r->regions[k])) p2r_fail(r, "two memory regions overlap");
            g->pages = (p2r_page *)calloc((size_t)g->page_count + 1, sizeof *g->pages);
            g->watched = (uint8_t *)calloc((size_t)(g->page_count >> (P2R_CHUNK_BITS - 12)) + 2, 1);
            if (g->pages == NULL || g->watched == NULL) p2r_fail(r, "no memory for the pages of a region");
            r->region_count = i + 1;
        }
    }
    if (r->error != NULL) return r; /* an existing file is not touched */
    r->file = fopen(path, "wb");
    if (r->file == NULL) p2r_fail(r, "the recording's file cannot be written");
    if (r->error != NULL) return r;
    n = p2r_meta(meta, sizeof meta, o);
    p2r_write(r, head, sizeof head);
    p2r_chunk(r, "META", (const uint8_t *)meta, n);
    if (!r->told && o->track != PICA200_TRACK_NONE) p2r_track(r, o->track);
    return r;
}

void pica200_record_block(pica200_recorder *r, uint32_t block, const uint32_t *words, uint32_t count) {
    if (r == NULL || r->error != NULL) return;
    if (r->begun || block == 0 || block >= PICA200_BLOCK_END || count > 0x2000 || (words == NULL && count > 0)) {
        p2r_fail(r, "pica200_record_block: an unknown block, more words than the GPU has, or too late");
        return;
    }
    free(r->blocks[block]);
    r->blocks[block] = (uint32_t *)malloc((count + 1) * sizeof *words);
    r->block_words[block] = count;
    if (r->blocks[block] == NULL) {
        p2r_fail(r, "no memory for the state");
        return;
    }
    if (count > 0) memcpy(r->blocks[block], words, count * sizeof *words);
}

uint32_t pica200_float24(float x) {
    uint32_t b, sign, man;
    int exp;
    memcpy(&b, &x, 4);
    sign = b >> 31 << 23;
    man = b & 0x7FFFFF;
    exp = (int)(b >> 23 & 0xFF) - 127 + 63;
    if ((b >> 23 & 0xFF) == 0xFF && man != 0) return sign | 0x7F8000u | man >> 7; /* NaN stays NaN */
    if (exp >= 127) return sign | 0x7F0000u;
    if (exp > 0) return sign | (uint32_t)exp << 16 | man >> 7;
    man = exp < -23 || (b >> 23 & 0xFF) == 0 ? 0 : (0x800000u | man) >> (1 - exp) >> 7;
    return man == 0 ? 0 : sign | man;
}

/* Rounds x to a multiple of 1/one, limited to -1..1; returns the number of steps. */
static int p2r_steps(float x, int one) {
    double v = (double)x * one;
    if (!(v > -one)) return v <= -one ? -one : 0; /* NaN gives 0 */
    if (v > one) return one;
    return (int)(v < 0 ? v - 0.5 : v + 0.5);
}

void pica200_lighting_table(uint32_t words[256], const float values[256], int two_sided) {
    int i;
    for (i = 0; i < 256; i++) {
        int last = two_sided ? i == 127 : i == 255;
        int d = last ? 0 : p2r_steps(values[(i + 1) & 255] - values[i], 2047), v = p2r_steps(values[i], 4095);
        words[i] = (uint32_t)(v < 0 ? 0 : v) | (uint32_t)(d < 0 ? -d | 0x800 : d) << 12;
    }
}

void pica200_fog_table(uint32_t words[128], const float values[128]) {
    int i;
    for (i = 0; i < 128; i++) {
        int d = i == 127 ? 0 : p2r_steps(values[i + 1] - values[i], 2047), v = p2r_steps(values[i], 2047);
        words[i] = (uint32_t)(v < 0 ? 0 : v) << 13 | ((uint32_t)d & 0x1FFF);
    }
}

const char *pica200_record_check(pica200_recorder *r) {
    static const struct {
        const char *name;
        int numbers; /* words are float24 */
    } blocks[PICA200_BLOCK_END] = {{NULL, 0}, {"external registers", 0}, {"registers of the screens", 0},
        {"internal registers", 0}, {"fixed attributes", 1}, {"code of the vertex shader", 0},
        {"operand descriptors of the vertex shader", 0}, {"uniforms of the vertex shader", 1},
        {"code of the geometry shader", 0}, {"operand descriptors of the geometry shader", 0},
        {"uniforms of the geometry shader", 1}, {"lighting tables", 0}, {"fog table", 0}, {"gas table", 0},
        {"noise table", 0}, {"colour map of the procedural texture", 0}, {"alpha map of the procedural texture", 0},
        {"colours of the procedural texture", 0}, {"differences of these colours", 0}, {NULL, 0}};
    size_t n = 0, room;
    uint32_t b, i;
    const char *between = "not given, and 0: ";
    if (r == NULL) return "no recorder";
    room = sizeof r->check;
    r->check[0] = 0;
    for (b = 1; b < PICA200_BLOCK_END; b++) {
        if (blocks[b].name == NULL || r->blocks[b] != NULL) continue;
        n += (size_t)snprintf(r->check + n, room - n, "%s%s", between, blocks[b].name);
        between = ", ";
    }
    between = n == 0 ? "" : "; ";
    for (b = 1; b < PICA200_BLOCK_END; b++) {
        for (i = 0; blocks[b].numbers && i < r->block_words[b] && r->blocks[b][i] >> 24 == 0; i++) continue;
        if (!blocks[b].numbers || i >= r->block_words[b]) continue;
        n += (size_t)snprintf(r->check + n, room - n, "%s%s: word %lu has more than 24 bits; pica200_float24 makes them of a float",
                              between, blocks[b].name, (unsigned long)i);
        between = "; ";
    }
    if (r->block_words[PICA200_BLOCK_EXTERNAL] > 0x490 / 4 && r->blocks[PICA200_BLOCK_EXTERNAL][0x490 / 4] == 0)
        snprintf(r->check + n, room - n, "%sexternal registers: a line of the top screen has 0 bytes (0x10400490)", between);
    return r->check[0] == 0 ? NULL : r->check;
}

void pica200_record_begin(pica200_recorder *r) {
    size_t size = 0;
    uint32_t b, i;
    uint8_t *data, *p;
    if (r == NULL || r->error != NULL || r->begun) return;
    for (b = 1; b < PICA200_BLOCK_END; b++)
        if (r->block_words[b] > 0) size += 8 + 4 * (size_t)r->block_words[b];
    data = p = (uint8_t *)malloc(size + 1);
    if (data == NULL) {
        p2r_fail(r, "no memory for the state");
        return;
    }
    for (b = 1; b < PICA200_BLOCK_END; b++) {
        if (r->block_words[b] == 0) continue;
        p2r_put32(p, b);
        p2r_put32(p + 4, r->block_words[b]);
        p += 8;
        for (i = 0; i < r->block_words[b]; i++, p += 4) p2r_put32(p, r->blocks[b][i]);
    }
    p2r_chunk(r, "STAT", data, size);
    free(data);
    r->begun = 1;
    p2r_take(r, PICA200_BLOCK_REGISTERS, r->regs, P2R_REGS);
    p2r_take(r, PICA200_BLOCK_EXTERNAL, r->ext, 0x400);
    p2r_sync(r);
}

void pica200_record_mapped(pica200_recorder *r, const void *data, uint32_t address, uint32_t size) {
    if (r != NULL && r->error == NULL && r->tracks && data != NULL && size > 0) p2r_map(r, data, address, size);
}

int pica200_record_tracks(const pica200_recorder *r) { return r != NULL && r->tracks != P2R_BY_NOBODY; }

void pica200_record_changed(pica200_recorder *r, uint32_t address, uint32_t size) {
    if (r != NULL && r->error == NULL && r->told) p2r_each(r, address, size, p2r_forget);
}

/* Records the command that a write to an external register starts, for hosts that report writes instead of commands. */
static void p2r_external(pica200_recorder *r, uint32_t address) {
    const uint32_t *e = r->ext, *f = e + (address & 0x20 ? 0x20 : 0x10) / 4, *t = e + 0xC00 / 4;
    switch (address) {
    case 0x1040001C:
    case 0x1040002C:
        if (f[3] & 1) p2r_fill(r, f[0] << 3, f[1] << 3);
        break;
    case 0x10400C18:
        if (!(t[6] & 1)) break;
        if (t[4] & 8)
            p2r_copy(r, t[0] << 3, t[1] << 3, t[8], t[9], t[10]);
        else
            p2r_transfer(r, t[0] << 3, t[1] << 3, t[3], t[2], t[4]);
        break;
    default: break;
    }
}

void pica200_record_write(pica200_recorder *r, uint32_t address, uint32_t width, uint64_t value) {
    uint32_t i;
    if (!p2r_command(r)) return;
    if (width != 1 && width != 2 && width != 4 && width != 8) {
        p2r_fail(r, "pica200_record_write: registers are written by 1, 2, 4 or 8 bytes");
        return;
    }
    for (i = 0; i < width; i += 4) {
        uint32_t at = address + i, shift = at % 4 * 8, word = (uint32_t)(value >> (8 * i)) << shift;
        uint32_t mask = (width == 1 ? 0xFFu : width == 2 ? 0xFFFFu : 0xFFFFFFFFu) << shift;
        at &= ~3u;
        if (at >= 0x10400000u && at < 0x10401000u) {
            uint32_t *e = &r->ext[(at - 0x10400000u) / 4];
            *e = (*e & ~mask) | (word & mask);
            p2r_external(r, at);
        } else if (at >= 0x10401000u && at < 0x10401000u + 4 * P2R_REGS) {
            r->drawn = 0;
            r->jump_bytes = 0;
            p2r_register(r, (at - 0x10401000u) / 4, word, mask);
            if (r->jump_bytes != 0) p2r_list(r, r->jump_to, r->jump_bytes);
        }
    }
    p2r_event(r, 2, address, width, (uint32_t)value, (uint32_t)(value >> 32), 0, 0, 0);
}

void pica200_record_list(pica200_recorder *r, uint32_t address, uint32_t bytes, uint32_t flags) {
    if (!p2r_command(r)) return;
    p2r_list(r, address, bytes);
    p2r_event(r, 3, address, bytes, flags, 0, 0, 0, 0);
}

void pica200_record_fill(pica200_recorder *r, uint32_t start, uint32_t end, uint32_t value, uint32_t control) {
    if (!p2r_command(r)) return;
    p2r_fill(r, start, end);
    p2r_event(r, 4, start, end, value, control, 0, 0, 0);
}

void pica200_record_transfer(pica200_recorder *r, uint32_t input, uint32_t output, uint32_t input_dim,
                             uint32_t output_dim, uint32_t flags) {
    if (!p2r_command(r)) return;
    p2r_transfer(r, input, output, input_dim, output_dim, flags);
    p2r_event(r, 5, input, output, output_dim, input_dim, flags, 0, 0);
}

void pica200_record_copy(pica200_recorder *r, uint32_t input, uint32_t output, uint32_t bytes, uint32_t input_line,
                         uint32_t output_line, uint32_t flags) {
    if (!p2r_command(r)) return;
    p2r_copy(r, input, output, bytes, input_line, output_line);
    p2r_event(r, 6, input, output, bytes, input_line, output_line, flags, 0);
}

void pica200_record_screen(pica200_recorder *r, int screen, int shown, uint32_t left0, uint32_t left1, uint32_t right0,
                           uint32_t right1, uint32_t format, uint32_t stride) {
    uint32_t *e;
    if (!p2r_ready(r)) return;
    e = r->ext + (0x400 + 0x100 * (screen & 1)) / 4;
    e[0x68 / 4] = left0;
    e[0x6C / 4] = left1;
    e[0x94 / 4] = right0;
    e[0x98 / 4] = right1;
    e[0x70 / 4] = format;
    e[0x90 / 4] = stride;
    e[0x78 / 4] = (e[0x78 / 4] & ~1u) | (uint32_t)(shown & 1);
    p2r_event(r, 7, (uint32_t)(screen & 1) | (uint32_t)(shown & 1) << 8, left0, left1, right0, right1, format, stride);
}

void pica200_record_done(pica200_recorder *r) {
    size_t i;
    if (!p2r_ready(r)) return;
    for (i = 0; i < r->written_count; i++) p2r_each(r, r->written[i].address, r->written[i].size, p2r_take_over);
    r->written_count = 0;
}

void pica200_record_frame(pica200_recorder *r) {
    if (!p2r_command(r)) return;
    p2r_screens(r); /* the CPU may have drawn there */
    p2r_flush_pieces(r);
    if (r->error != NULL) return;
    p2r_chunk(r, "FRAM", r->events, r->events_size);
    r->events_size = 0;
    r->frames = 1;
    p2r_sync(r);
}

void pica200_record_shown(pica200_recorder *r, int screen, int width, int height, const uint8_t *rgb) {
    uint8_t *data;
    size_t bytes;
    if (!p2r_ready(r)) return;
    if (screen < 0 || screen > 2 || width < 1 || height < 1 || width > 4096 || height > 4096) {
        p2r_fail(r, "pica200_record_shown: screens are 0 to 2, sides 1 to 4096 pixels");
        return;
    }
    if (!r->frames || rgb == NULL) {
        p2r_fail(r, "pica200_record_shown: no frame has ended, or there is no picture");
        return;
    }
    bytes = (size_t)3 * (size_t)width * (size_t)height;
    data = (uint8_t *)malloc(16 + bytes);
    if (data == NULL) {
        p2r_fail(r, "no memory for a picture");
        return;
    }
    p2r_put32(data, (uint32_t)screen);
    p2r_put32(data + 4, (uint32_t)width);
    p2r_put32(data + 8, (uint32_t)height);
    p2r_put32(data + 12, 0);
    memcpy(data + 16, rgb, bytes);
    p2r_chunk(r, "SHOW", data, 16 + bytes);
    free(data);
}

const char *pica200_record_error(const pica200_recorder *r) { return r == NULL ? "no recorder" : r->error; }

int pica200_record_close(pica200_recorder *r) {
    int i, failed;
    uint32_t n;
    if (r == NULL) return 1;
    if (r->events_size > 0) pica200_record_frame(r);
    if (r->file != NULL && fclose(r->file) != 0) p2r_fail(r, "writing the recording failed: is the disk full?");
    failed = r->error != NULL;
    for (i = 0; i < PICA200_BLOCK_END; i++) free(r->blocks[i]);
    for (i = 0; i < r->region_count; i++) {
        for (n = 0; r->regions[i].pages != NULL && n < r->regions[i].page_count; n++) free(r->regions[i].pages[n].copy);
        free(r->regions[i].pages);
        free(r->regions[i].watched);
    }
    p2r_untrack(r);
    free(r->mappings);
    free(r->known);
    free(r->pieces);
    free(r->events);
    free(r->written);
    free(r);
    return failed;
}

#ifdef __cplusplus
}
#endif
#endif /* PICA200_RECORD_IMPLEMENTATION */
