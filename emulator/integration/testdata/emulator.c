/* An emulator without a console: it plays a script (emulator/capi/testdata/play.c says in what
 * form) through pica200_hooks.h, as recorder.c or renderer.c has it, and prints a sum
 * of its memory for each frame. Blocks of the state and registers other than the
 * screens' are left out. */
#include "pica200_hooks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FCRAM = 0x20000000, FCRAM_SIZE = 128 << 20, VRAM = 0x18000000, VRAM_SIZE = 6 << 20 };

static uint8_t *fcram, *vram;
static uint32_t ext[0x800 / 4];

static uint32_t word(const uint8_t *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint64_t sum(uint64_t h, const uint8_t *data, size_t bytes) {
    static const uint8_t zeros[4096];
    size_t at, i;
    uint64_t w;
    for (at = 0; at < bytes; at += sizeof zeros) {
        if (memcmp(data + at, zeros, sizeof zeros) == 0) continue;
        h ^= at;
        for (i = 0; i < sizeof zeros; i += 8) {
            memcpy(&w, data + at + i, 8);
            h = (h ^ w) * 0x9E3779B97F4A7C15u;
            h ^= h >> 29;
        }
    }
    return h;
}

/* A register of the screens was written. */
static void screens(uint32_t address, uint32_t value) {
    int s, b;
    if (address < 0x10400400 || address >= 0x10400600) return;
    ext[(address - 0x10400000) / 4] = value;
    for (s = 0; s < 2; s++) {
        const uint32_t *r = ext + (0x400 + 0x100 * s) / 4;
        for (b = 0; b < 2; b++)
            pica200_hooks_screen(s, b, (int)r[0x78 / 4], r[(0x68 + 4 * b) / 4], r[(0x94 + 4 * b) / 4], r[0x70 / 4], r[0x90 / 4]);
    }
}

static void play(const uint8_t *at) {
    uint32_t w[8], i;
    int drawn = 0;
    for (; word(at) != 0;) {
        switch (word(at)) {
        case 1:
            i = word(at + 4);
            memcpy(i >= FCRAM ? fcram + (i - FCRAM) : vram + (i - VRAM), at + 12, word(at + 8));
            at += 12 + (size_t)word(at + 8);
            break;
        case 2:
            for (i = 0; i < 8; i++) w[i] = word(at + 4 + 4 * i);
            at += 36;
            switch (w[0]) {
            case 2: screens(w[1], w[3]); continue;
            case 3: drawn = pica200_hooks_list(w[1], w[2], w[3]); break;
            case 4: drawn = pica200_hooks_fill(w[1], w[2], w[3], w[4]); break;
            case 5: drawn = pica200_hooks_transfer(w[1], w[2], w[4], w[3], w[5]); break;
            case 6: drawn = pica200_hooks_copy(w[1], w[2], w[3], w[4], w[5], w[6]); break;
            }
            pica200_hooks_done();
            break;
        case 3:
            pica200_hooks_frame();
            printf("%d %016llx\n", drawn, (unsigned long long)sum(sum(0, vram, VRAM_SIZE), fcram, FCRAM_SIZE));
            at += 4;
            break;
        default: at += 12 + 4 * (size_t)word(at + 8);
        }
    }
}

/* Plays each script as a console of its own. */
int main(int argc, char **argv) {
    int i;
    for (i = 1; i < argc; i++) {
        FILE *f = fopen(argv[i], "rb");
        size_t n;
        uint8_t *script;
        if (f == NULL) return 3;
        fseek(f, 0, SEEK_END);
        n = (size_t)ftell(f);
        rewind(f);
        script = (uint8_t *)calloc(n + 4, 1);
        if (fread(script, 1, n, f) != n) return 3;
        fclose(f);
        fcram = (uint8_t *)calloc(FCRAM_SIZE, 1);
        vram = (uint8_t *)calloc(VRAM_SIZE, 1);
        memset(ext, 0, sizeof ext);
        pica200_hooks_memory(fcram, FCRAM_SIZE, vram);
        pica200_hooks_memory(fcram, FCRAM_SIZE, vram); /* started anew before it did anything */
        play(script);
        pica200_hooks_close();
        free(script);
        free(fcram);
        free(vram);
    }
    return 0;
}
