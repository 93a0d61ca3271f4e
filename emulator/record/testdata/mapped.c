/* A host whose CPU sees memory through pages that are mapped one by one, and mapped anew:
 *   mapped FILE  records copies of two pages, of which the second is written through where the first was. */
#define _GNU_SOURCE
#define PICA200_RECORD_IMPLEMENTATION
#include "pica200_record.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FCRAM = 0x20000000, FCRAM_SIZE = 128 << 20, VRAM = 0x18000000, VRAM_SIZE = 6 << 20, PAGE = 4096, VIEWS = 3 };

static void *map(int fd, void *at, size_t bytes, size_t from) {
    return mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | (at != NULL ? MAP_FIXED : 0), fd, (off_t)from);
}

static void copies(pica200_recorder *r) {
    int i;
    for (i = 0; i < 2; i++) { /* as registers: bytes, lines of 16 bytes without gaps */
        pica200_record_copy(r, FCRAM + (uint32_t)i * PAGE, VRAM + (uint32_t)i * PAGE, PAGE, 1, 1, 8);
        pica200_record_done(r);
    }
    pica200_record_frame(r);
}

int main(int argc, char **argv) {
    pica200_record_options o;
    pica200_recorder *r;
    int fd = memfd_create("memory", 0), v;
    uint8_t *fcram, *vram, *views[VIEWS];
    uint32_t at;
    if (argc < 2 || fd < 0 || ftruncate(fd, FCRAM_SIZE + VRAM_SIZE) != 0) return 3;
    fcram = (uint8_t *)map(fd, NULL, FCRAM_SIZE, 0);
    vram = (uint8_t *)map(fd, NULL, VRAM_SIZE, FCRAM_SIZE);
    memset(&o, 0, sizeof o);
    o.regions[0].data = vram, o.regions[0].address = VRAM, o.regions[0].size = VRAM_SIZE;
    o.regions[1].data = fcram, o.regions[1].address = FCRAM, o.regions[1].size = FCRAM_SIZE;
    o.region_count = 2;
    o.track = PICA200_TRACK_AUTO;
    r = pica200_record_open(argv[1], &o);
    if (!pica200_record_tracks(r)) {
        printf("not tracked\n");
        return pica200_record_close(r);
    }
    for (v = 0; v < VIEWS; v++) {
        views[v] = (uint8_t *)map(fd, NULL, FCRAM_SIZE, 0);
        for (at = 0; at < FCRAM_SIZE; at += PAGE) pica200_record_mapped(r, views[v] + at, FCRAM + at, PAGE);
    }
    pica200_record_begin(r);
    memset(views[0], 'a', PAGE);
    memset(views[1] + PAGE, 'b', PAGE);
    copies(r);
    map(fd, views[0], PAGE, PAGE); /* the first page of view 0 shows the second page of memory */
    pica200_record_mapped(r, views[0], FCRAM + PAGE, PAGE);
    memset(views[0], 'c', PAGE);
    copies(r);
    memset(views[0] + PAGE, 'd', PAGE / 2); /* the rest of the view is where it was */
    memset(views[2], 'e', PAGE / 2);
    copies(r);
    printf("tracked %d\n", pica200_record_tracks(r));
    return pica200_record_close(r);
}
