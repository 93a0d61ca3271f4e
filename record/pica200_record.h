/* pica200_record.h - writes recordings of the Nintendo 3DS's GPU (.picatrace).
 *
 * For emulators and for whatever else drives a PICA200: one file, C99 or C++,
 * no dependency beyond the C library. Define PICA200_RECORD_IMPLEMENTATION in
 * one source file before including it; include it plainly everywhere else.
 *
 * The recorder sits where all emulators are alike, at the five commands that the
 * system has for the GPU. Call, in this order:
 *
 *   pica200_record_open      memory regions, who records
 *   pica200_record_block     for each part of the GPU's state (PICA200_BLOCK_...)
 *   pica200_record_begin     writes the state and what memory holds
 *   then, for each command BEFORE it is executed, one of
 *   pica200_record_list, _fill, _transfer, _copy, _screen
 *   and, AFTER it was executed, pica200_record_done
 *   pica200_record_frame     at the end of a frame
 *   pica200_record_close
 *
 * Changed memory is found by itself, a keyed hash for each page of 4 KiB, at each
 * command; or, with options.told, by pica200_record_changed, which is faster.
 *
 * What is written can be read up to the last whole frame, also if the host dies.
 * An error (a full disk) ends the recording: every later call returns at once,
 * and pica200_record_error says what it was. No call ever ends the host.
 *
 * Calls for one recorder must not be made at the same time. Nothing is global.
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

/* Parts of the GPU's state, for pica200_record_block. Each is an array of
 * 32-bit words; float24 numbers stand in the low 24 bits of a word. */
enum {
    PICA200_BLOCK_EXTERNAL = 1,             /* 0x400: word i at 0x10400000+4i */
    PICA200_BLOCK_SCREENS = 2,              /* 0x400: word i at 0x10202000+4i */
    PICA200_BLOCK_REGISTERS = 3,            /* 0x300: internal registers */
    PICA200_BLOCK_FIXED_ATTRIBUTES = 4,     /* 64: 16 vectors x, y, z, w of float24 */
    PICA200_BLOCK_VERTEX_CODE = 5,          /* up to 4096 instructions */
    PICA200_BLOCK_VERTEX_DESCRIPTORS = 6,   /* 128 */
    PICA200_BLOCK_VERTEX_UNIFORMS = 7,      /* 384: 96 vectors x, y, z, w of float24 */
    PICA200_BLOCK_GEOMETRY_CODE = 8,        /* the same of the geometry shader's unit */
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
    PICA200_BLOCK_PRIMITIVES = 19,          /* 790: unfinished primitives, docs/FORMATS.md; 0 where there are none */
    PICA200_BLOCK_END = 20
};

/* Flags of a command list. */
enum {
    PICA200_LIST_UPDATE_GAS = 1, /* then GPUREG_GAS_ACCMAX is set from the greatest density */
    PICA200_LIST_FLUSH = 2       /* the list was flushed from the CPU's cache */
};

/* A stretch of memory that the GPU can see. No two may overlap. */
typedef struct {
    const void *data; /* where the host keeps it; must stay there until close */
    uint32_t address; /* physical: 0x18000000 VRAM, 0x20000000 FCRAM, ...; a multiple of 4096 */
    uint32_t size;    /* bytes */
} pica200_record_region;

typedef struct {
    const char *producer; /* the host's name; any of the texts may be NULL */
    const char *version;  /* of the host */
    const char *title;    /* of what is recorded */
    uint32_t fcram;       /* bytes of main memory; 0 for 128 MiB */
    pica200_record_region regions[PICA200_RECORD_MAX_REGIONS];
    int region_count;
    int told; /* nonzero: the host says what changed, with pica200_record_changed */
} pica200_record_options;

typedef struct pica200_recorder pica200_recorder;

/* Begins a recording. The file is written anew. Returns NULL if there is no
 * memory for a recorder; every other error is kept for pica200_record_error. */
pica200_recorder *pica200_record_open(const char *path, const pica200_record_options *options);

/* Gives a part of the GPU's state. Parts that are not given are 0. */
void pica200_record_block(pica200_recorder *r, uint32_t block, const uint32_t *words, uint32_t count);

/* Writes the state and all memory that is not 0. Time: that of reading all
 * memory once. */
void pica200_record_begin(pica200_recorder *r);

/* With options.told: the CPU (or anything else but the GPU) wrote to memory. */
void pica200_record_changed(pica200_recorder *r, uint32_t address, uint32_t size);

/* The commands, before they are executed. Addresses are physical; the other
 * numbers are those that the registers hold. */
void pica200_record_list(pica200_recorder *r, uint32_t address, uint32_t bytes, uint32_t flags);
void pica200_record_fill(pica200_recorder *r, uint32_t start, uint32_t end, uint32_t value, uint32_t control);
void pica200_record_transfer(pica200_recorder *r, uint32_t input, uint32_t output, uint32_t input_dim,
                             uint32_t output_dim, uint32_t flags);
void pica200_record_copy(pica200_recorder *r, uint32_t input, uint32_t output, uint32_t bytes, uint32_t input_line,
                         uint32_t output_line, uint32_t flags);
/* screen: 0 top, 1 bottom; shown: which of the two buffers. */
void pica200_record_screen(pica200_recorder *r, int screen, int shown, uint32_t left0, uint32_t left1, uint32_t right0,
                           uint32_t right1, uint32_t format, uint32_t stride);
/* Any other register that the CPU writes: width is 1, 2, 4 or 8 bytes. */
void pica200_record_write(pica200_recorder *r, uint32_t address, uint32_t width, uint64_t value);

/* A command was executed: what changed in memory since it was recorded is the
 * GPU's work, which a replay does itself. Without this call that is recorded
 * as if the CPU had written it, and a replay shows the host's picture where the
 * host wrote it back to memory. With options.told it does nothing. */
void pica200_record_done(pica200_recorder *r);

/* What a screen showed at the end of the frame that ended last, as RGB bytes in
 * rows from the top: for comparing a replay. screen: 0 top, 1 top for the right
 * eye, 2 bottom. */
void pica200_record_shown(pica200_recorder *r, int screen, int width, int height, const uint8_t *rgb);

/* A frame ends, and is written to the file. */
void pica200_record_frame(pica200_recorder *r);

/* What ended the recording, or NULL while all is well. */
const char *pica200_record_error(const pica200_recorder *r);

/* Ends the recording, an unfinished frame included, and frees the recorder.
 * Returns 0 if all was written. r may be NULL. */
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

#ifdef __cplusplus
extern "C" {
#endif

enum {
    P2R_PAGE = 4096,
    P2R_WORDS = P2R_PAGE / 4,
    P2R_PIECES = 1024,    /* pieces of memory gathered before they are written */
    P2R_KNOWN = 1 << 16,  /* pieces remembered, so that equal ones are stored once */
    P2R_CHUNK = 32,       /* header of a chunk */
    P2R_PIECE = 24,       /* header of a piece */
    P2R_EVENT = 32,
    P2R_MAX_EVENTS = (64 << 20) / P2R_EVENT
};

/* What tells pages apart, of a recorder's own key. */
typedef struct {
    uint64_t sum[2];
} p2r_name;

typedef struct {
    p2r_name name;
    uint32_t id;
    uint32_t bytes; /* 0: nothing here */
} p2r_known;

typedef struct {
    const uint8_t *data;
    uint32_t address, size, pages;
    p2r_name *seen;  /* name of each page as it was recorded last */
    uint8_t *dirty;  /* told: pages that changed */
} p2r_region;

struct pica200_recorder {
    FILE *file;
    const char *error;
    int told, begun, frames; /* frames: one has ended */
    uint32_t key[2 * P2R_WORDS];
    p2r_region regions[PICA200_RECORD_MAX_REGIONS];
    int region_count;
    p2r_known *known;
    uint8_t *pieces; /* chunk of pieces that is not written yet */
    size_t pieces_size;
    uint32_t piece_count, next_id;
    uint8_t *events;
    size_t events_size, events_room;
    uint32_t *blocks[PICA200_BLOCK_END];
    uint32_t block_words[PICA200_BLOCK_END];
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

/* MurmurHash3 (x64, 128 bits, seed 0), by which readers of the format find damage.
 * Anybody can make two contents for one hash. */
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

/* Makes a key that what is recorded cannot know: from the system's random numbers
 * where it has them as a file, and from times and addresses. */
static void p2r_make_key(pica200_recorder *r) {
    uint64_t seed = p2r_finish((uint64_t)time(NULL)) + p2r_finish((uint64_t)clock() + 1) + (uint64_t)(uintptr_t)r +
                    p2r_finish((uint64_t)(uintptr_t)&seed);
    FILE *random = fopen("/dev/urandom", "rb");
    size_t i;
    if (random != NULL) {
        i = fread(r->key, 1, sizeof r->key, random); /* as much as there is */
        fclose(random);
    }
    for (i = 0; i < 2 * P2R_WORDS; i++) {
        seed += 0x9E3779B97F4A7C15u;
        r->key[i] ^= (uint32_t)(p2r_finish(seed) >> 32);
    }
}

/* The name of a page: NH, the hash of UMAC (Black and others, 1999), with two keys.
 * Whoever does not know them makes two pages of one size with one name with a chance
 * of one in 2^64. It stays in the process. */
static p2r_name p2r_name_of(const uint32_t *key, const uint8_t *p, uint32_t bytes) {
    uint64_t a[4] = {0}, b[4] = {0};
    uint8_t whole[P2R_PAGE];
    p2r_name n;
    uint32_t w[8], i, j;
    if (bytes % 32 != 0) { /* a page that its region ends in */
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

/* How much of a page lies in its region. */
static uint32_t p2r_page_bytes(const p2r_region *g, uint32_t at) {
    uint32_t left = g->size - at;
    return left < (uint32_t)P2R_PAGE ? left : (uint32_t)P2R_PAGE;
}

static void p2r_fail(pica200_recorder *r, const char *what) {
    if (r->error == NULL) r->error = what;
}

static void p2r_write(pica200_recorder *r, const void *data, size_t bytes) {
    if (r->error == NULL && bytes > 0 && fwrite(data, 1, bytes, r->file) != bytes)
        p2r_fail(r, "writing the recording failed: is the disk full?");
}

/* Hands what is written to the system, where it outlives the host. */
static void p2r_sync(pica200_recorder *r) {
    if (r->error == NULL && fflush(r->file) != 0) p2r_fail(r, "writing the recording failed: is the disk full?");
}

/* Writes a chunk whose contents stand in one piece. */
static void p2r_chunk(pica200_recorder *r, const char *name, const uint8_t *data, size_t bytes) {
    uint8_t head[P2R_CHUNK];
    uint64_t h[2];
    p2r_hash128(data, bytes, h);
    memcpy(head, name, 4);
    p2r_put32(head + 4, 0); /* not packed */
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

/* Records what a page holds now. */
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

/* Finds the pages that changed. With keep they are recorded; without, only
 * remembered. */
static void p2r_look(pica200_recorder *r, int keep) {
    int i;
    uint32_t n;
    for (i = 0; i < r->region_count && r->error == NULL; i++) {
        p2r_region *g = &r->regions[i];
        for (n = 0; n < g->pages; n++) {
            uint32_t at = n * P2R_PAGE, bytes = p2r_page_bytes(g, at);
            if (r->told) {
                if (!g->dirty[n]) continue;
                g->dirty[n] = 0;
            } else {
                p2r_name name = p2r_name_of(r->key, g->data + at, bytes);
                if (p2r_same(&name, &g->seen[n])) continue;
                g->seen[n] = name;
            }
            if (keep) p2r_load(r, g->address + at, g->data + at, bytes);
        }
    }
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

/* The bytes of a UTF-8 text, at most so many, without a character cut in two. */
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
            g->pages = g->size / P2R_PAGE + (g->size % P2R_PAGE != 0);
            if (g->address % P2R_PAGE != 0 || (uint64_t)g->address + g->size > 0x100000000u)
                p2r_fail(r, "a memory region does not begin at a page, or ends behind the address space");
            if (g->data == NULL && g->size > 0) p2r_fail(r, "a memory region has no data");
            for (k = 0; k < i; k++)
                if (p2r_overlap(g, &r->regions[k])) p2r_fail(r, "two memory regions overlap");
            if (r->told)
                g->dirty = (uint8_t *)calloc(g->pages + 1, 1);
            else
                g->seen = (p2r_name *)calloc(g->pages + 1, sizeof *g->seen);
            if (g->dirty == NULL && g->seen == NULL) p2r_fail(r, "no memory for the names of pages");
            r->region_count = i + 1;
        }
    }
    if (r->error != NULL) return r; /* a file that is there stays as it is */
    r->file = fopen(path, "wb");
    if (r->file == NULL) p2r_fail(r, "the recording's file cannot be written");
    if (r->error != NULL) return r;
    n = p2r_meta(meta, sizeof meta, o);
    p2r_write(r, head, sizeof head);
    p2r_chunk(r, "META", (const uint8_t *)meta, n);
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

void pica200_record_begin(pica200_recorder *r) {
    size_t size = 0;
    uint32_t b, i, n;
    uint8_t *data, *p;
    int k;
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
    for (k = 0; k < r->region_count; k++) {
        p2r_region *g = &r->regions[k];
        for (n = 0; n < g->pages && r->error == NULL; n++) {
            uint32_t at = n * P2R_PAGE, bytes = p2r_page_bytes(g, at);
            if (!r->told) g->seen[n] = p2r_name_of(r->key, g->data + at, bytes);
            if (g->data[at] == 0 && memcmp(g->data + at, g->data + at + 1, bytes - 1) == 0) continue; /* zeros: most of memory */
            p2r_load(r, g->address + at, g->data + at, bytes);
        }
    }
    p2r_sync(r);
}

void pica200_record_changed(pica200_recorder *r, uint32_t address, uint32_t size) {
    int i;
    if (r == NULL || r->error != NULL || !r->told || size == 0) return;
    for (i = 0; i < r->region_count; i++) {
        p2r_region *g = &r->regions[i];
        uint64_t from = address > g->address ? address : g->address;
        uint64_t to = (uint64_t)address + size, end = (uint64_t)g->address + g->size;
        if (to > end) to = end;
        if (from < to) {
            uint32_t first = (uint32_t)(from - g->address) / P2R_PAGE, last = (uint32_t)(to - 1 - g->address) / P2R_PAGE;
            memset(g->dirty + first, 1, last - first + 1);
        }
    }
}

void pica200_record_write(pica200_recorder *r, uint32_t address, uint32_t width, uint64_t value) {
    if (!p2r_ready(r)) return;
    if (width != 1 && width != 2 && width != 4 && width != 8) {
        p2r_fail(r, "pica200_record_write: registers are written by 1, 2, 4 or 8 bytes");
        return;
    }
    p2r_look(r, 1);
    p2r_event(r, 2, address, width, (uint32_t)value, (uint32_t)(value >> 32), 0, 0, 0);
}

void pica200_record_list(pica200_recorder *r, uint32_t address, uint32_t bytes, uint32_t flags) {
    if (!p2r_ready(r)) return;
    p2r_look(r, 1);
    p2r_event(r, 3, address, bytes, flags, 0, 0, 0, 0);
}

void pica200_record_fill(pica200_recorder *r, uint32_t start, uint32_t end, uint32_t value, uint32_t control) {
    if (!p2r_ready(r)) return;
    p2r_look(r, 1);
    p2r_event(r, 4, start, end, value, control, 0, 0, 0);
}

void pica200_record_transfer(pica200_recorder *r, uint32_t input, uint32_t output, uint32_t input_dim,
                             uint32_t output_dim, uint32_t flags) {
    if (!p2r_ready(r)) return;
    p2r_look(r, 1);
    p2r_event(r, 5, input, output, output_dim, input_dim, flags, 0, 0);
}

void pica200_record_copy(pica200_recorder *r, uint32_t input, uint32_t output, uint32_t bytes, uint32_t input_line,
                         uint32_t output_line, uint32_t flags) {
    if (!p2r_ready(r)) return;
    p2r_look(r, 1);
    p2r_event(r, 6, input, output, bytes, input_line, output_line, flags, 0);
}

void pica200_record_screen(pica200_recorder *r, int screen, int shown, uint32_t left0, uint32_t left1, uint32_t right0,
                           uint32_t right1, uint32_t format, uint32_t stride) {
    if (!p2r_ready(r)) return;
    p2r_event(r, 7, (uint32_t)(screen & 1) | (uint32_t)(shown & 1) << 8, left0, left1, right0, right1, format, stride);
}

void pica200_record_done(pica200_recorder *r) {
    if (p2r_ready(r) && !r->told) p2r_look(r, 0);
}

void pica200_record_frame(pica200_recorder *r) {
    if (!p2r_ready(r)) return;
    p2r_look(r, 1); /* what the CPU drew by itself, into a screen's buffer say */
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
    if (r == NULL) return 1;
    if (r->events_size > 0) pica200_record_frame(r);
    if (r->file != NULL && fclose(r->file) != 0) p2r_fail(r, "writing the recording failed: is the disk full?");
    failed = r->error != NULL;
    for (i = 0; i < PICA200_BLOCK_END; i++) free(r->blocks[i]);
    for (i = 0; i < r->region_count; i++) {
        free(r->regions[i].seen);
        free(r->regions[i].dirty);
    }
    free(r->known);
    free(r->pieces);
    free(r->events);
    free(r);
    return failed;
}

#ifdef __cplusplus
}
#endif
#endif /* PICA200_RECORD_IMPLEMENTATION */
