/* A host that behaves like a game, to see what recording costs: 256 MiB of memory, of
 * which the CPU writes 4,000 pages a frame, and ten command lists a frame with 400 draws
 * of 120 textures. Prints the processor time of a frame with and without the recorder.
 * The same is done each time, so that the recordings must be equal.
 *
 *   game FOLDER [FRAMES]
 */
#ifdef _WIN32
#include <windows.h>
#else
#define _XOPEN_SOURCE 700
#endif
#define PICA200_RECORD_IMPLEMENTATION
#include "pica200_record.h"

enum {
    FCRAM = 0x20000000, MEMORY = 256 << 20, LISTS = 0x1000000, VERTICES = 0x2000000, TEXTURES = 0x3000000,
    TEXTURE = 64 << 10, NTEXTURES = 120, DRAWS = 40, NLISTS = 10, CHANGED = 4000
};

static uint8_t *memory;
static uint32_t *list, count, seed = 1;

static uint32_t draw_random(void) {
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

static void put(uint32_t reg, uint32_t value) {
    list[count++] = value;
    list[count++] = reg | 0xF0000;
}

/* A list: draws of one texture and 200 vertices of 32 bytes each. */
static uint32_t make(uint32_t number, uint32_t frame) {
    uint32_t at = LISTS + number * 0x10000, i;
    list = (uint32_t *)(void *)(memory + at);
    count = 0;
    for (i = 0; i < DRAWS; i++) {
        uint32_t texture = (number * DRAWS + i) % NTEXTURES;
        put(0x080, 0x1001);
        put(0x082, 128 << 16 | 128);
        put(0x085, (FCRAM + TEXTURES + texture * TEXTURE) >> 3);
        put(0x08E, 0);
        put(0x0C0, 0x00030003);
        put(0x0C2, 0);
        put(0x200, (FCRAM + VERTICES) >> 3);
        put(0x203, (number * DRAWS + i) * 6400);
        put(0x204, 0x10);
        put(0x205, 2u << 28 | 32 << 16);
        put(0x2B9, 1);
        put(0x228, 200);
        put(0x22A, 0);
        put(0x2C0, frame * 4096 + i); /* a uniform: lists change each frame */
        put(0x22E, 1);
    }
    put(0x010, 1);
    return FCRAM + at;
}

/* What the CPU does in a frame; told: it says so. */
static void play(pica200_recorder *r, int told, uint32_t frame) {
    uint32_t i, at, n;
    for (i = 0; i < CHANGED; i++) { /* one page in 40 is one that the GPU reads */
        at = i % 40 != 0 ? 0x5000000 + draw_random() % (160u << 20)
           : i % 160 != 0 ? VERTICES + draw_random() % (400 * 6400) : TEXTURES + draw_random() % (NTEXTURES * TEXTURE);
        memory[at] = (uint8_t)frame;
        if (told) pica200_record_changed(r, FCRAM + at, 1);
    }
    for (i = 0; i < NLISTS; i++) {
        uint32_t address = make(i, frame);
        n = count * 4;
        if (told) pica200_record_changed(r, address, n);
        if (r != NULL) pica200_record_list(r, address, n, 0);
        if (r != NULL) pica200_record_done(r);
    }
    if (r != NULL) pica200_record_frame(r);
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        int recorded, told, track;
    } ways[5] = {{"no recording", 0, 0, 0}, {"compared", 1, 0, PICA200_TRACK_NONE}, {"told", 1, 1, 0},
        {"tracked", 1, 0, PICA200_TRACK_AUTO}, {"protected", 1, 0, PICA200_TRACK_MPROTECT}};
    uint32_t frames = argc > 2 ? (uint32_t)atoi(argv[2]) : 200, i;
    int way;
    if (argc < 2) return 3;
#ifdef _WIN32
    memory = (uint8_t *)VirtualAlloc(NULL, MEMORY, MEM_RESERVE | MEM_COMMIT | MEM_WRITE_WATCH, PAGE_READWRITE);
#else
    memory = (uint8_t *)malloc(MEMORY + 4096);
    if (memory != NULL) memory += 4096 - (uintptr_t)memory % 4096;
#endif
    if (memory == NULL) return 3;
    for (way = 0; way < 5; way++) {
        char path[4096];
        pica200_record_options o;
        pica200_recorder *r = NULL;
        clock_t before;
        seed = 1;
        memset(memory, 0x5A, MEMORY);
        snprintf(path, sizeof path, "%s/%s.picatrace", argv[1], ways[way].name);
        memset(&o, 0, sizeof o);
        o.fcram = MEMORY;
        o.told = ways[way].told;
        o.track = ways[way].track;
        o.regions[0].data = memory;
        o.regions[0].address = FCRAM;
        o.regions[0].size = MEMORY;
        o.region_count = 1;
        if (ways[way].recorded) {
            r = pica200_record_open(path, &o);
            pica200_record_begin(r);
        }
        play(r, ways[way].told, 0); /* the first frame takes everything */
        before = clock();
        for (i = 1; i <= frames; i++) play(r, ways[way].told, i);
        printf("%-12s %7.3f ms a frame%s\n", ways[way].name, 1000.0 * (double)(clock() - before) / CLOCKS_PER_SEC / frames,
               ways[way].track && !pica200_record_tracks(r) ? " (not tracked)" : "");
        if (pica200_record_error(r) != NULL && r != NULL) printf("%s\n", pica200_record_error(r));
        if (r != NULL && pica200_record_close(r) != 0) return 1;
    }
    return 0;
}
