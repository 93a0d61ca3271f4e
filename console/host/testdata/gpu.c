/* gpu.c - stands for libpica200 in quick tests: says on the standard error what it is
 * told, fills memory, and shows the first bytes of what it is to show. Part of pica200, MIT
 * License. */
#include "pica200.h"

#include <stdio.h>
#include <string.h>

struct pica200_gpu { pica200_options o; uint32_t left[2]; } gpu;
static const char *why = "";

pica200_gpu *pica200_create(const pica200_options *o, char *error, size_t room) { return (void)error, (void)room, gpu.o = *o, &gpu; }
const char *pica200_error(const pica200_gpu *g) { return (void)g, why; }
static uint8_t *at(uint32_t a) { return a >= 0x20000000 ? (uint8_t *)gpu.o.fcram + (a - 0x20000000) : (uint8_t *)gpu.o.vram + (a - 0x18000000); }
int pica200_list(pica200_gpu *g, uint32_t a, uint32_t n, uint32_t flags) {
    (void)g;
    fprintf(stderr, "list %X %u %u\n", a, n, flags);
    return n == 13 ? why = "the list is bad", 1 : 0;
}
int pica200_fill(pica200_gpu *g, uint32_t a, uint32_t end, uint32_t v, uint32_t c) {
    (void)g;
    fprintf(stderr, "fill %X %X %X %X\n", a, end, v, c);
    return memset(at(a), (int)v, end - a), 0;
}
int pica200_transfer(pica200_gpu *g, uint32_t i, uint32_t o, uint32_t id, uint32_t od, uint32_t f) { return (void)g, fprintf(stderr, "transfer %X %X %X %X %X\n", i, o, id, od, f), 0; }
int pica200_copy(pica200_gpu *g, uint32_t i, uint32_t o, uint32_t n, uint32_t il, uint32_t ol, uint32_t f) { return (void)g, fprintf(stderr, "copy %X %X %X %X %X %X\n", i, o, n, il, ol, f), 0; }
int pica200_show(pica200_gpu *g, int s, int shown, uint32_t l0, uint32_t l1, uint32_t r0, uint32_t r1, uint32_t f, uint32_t stride) {
    (void)g;
    gpu.left[s] = shown ? l1 : l0;
    return fprintf(stderr, "show %d %d %X %X %X %X %X %X\n", s, shown, l0, l1, r0, r1, f, stride), 0;
}
int pica200_write(pica200_gpu *g, uint32_t a, uint32_t w, uint64_t v) { return (void)g, fprintf(stderr, "write %X %u %llX\n", a, w, (unsigned long long)v), 0; }
int pica200_read(pica200_gpu *g, uint32_t a, uint32_t *v) { return (void)g, *v = a, 0; }
int pica200_invalidate(pica200_gpu *g, uint32_t a, uint32_t n) { return (void)g, fprintf(stderr, "changed %X %X\n", a, n), 0; }
int pica200_screen(pica200_gpu *g, int s, uint8_t *rgba, size_t room, int *w, int *h) {
    (void)g, (void)room;
    *w = s == 1 ? 320 : 400, *h = 240;
    for (int i = 0; gpu.left[s & 1] && i < *w * *h; i++) memcpy(rgba + 4 * i, at(gpu.left[s & 1]), 3), rgba[4 * i + 3] = 255;
    return 0;
}
int pica200_recording_begin(pica200_gpu *g, const char *p, const char *by, const char *t) { return (void)g, fprintf(stderr, "record %s %s %s\n", p, by, t), 0; }
int pica200_recording_frame(pica200_gpu *g) { return (void)g, fprintf(stderr, "frame\n"), 0; }
int pica200_recording_end(pica200_gpu *g) { return (void)g, fprintf(stderr, "end\n"), 0; }
