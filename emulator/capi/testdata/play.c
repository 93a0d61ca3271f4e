/* Plays a script of what a program does through libpica200, in memory of its own,
 * and prints a sum of the screens and of all memory for each frame.
 *
 *   play SCRIPT [watch] [own] [threads] [record FILE] [bench]
 *
 * watch: does not say what it writes to memory. own: the memory is the library's.
 * threads: plays twice at once, on two GPUs. bench: prints the cost of calls.
 *
 * The script: words of 32 bits, little-endian. 0 end; 1 load: address, bytes, the
 * bytes; 2 event: kind, seven words; 3 end of frame; 4 block of the state: number,
 * words, the words.
 */
#define _DEFAULT_SOURCE
#include "pica200.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { FCRAM = 0x20000000, FCRAM_SIZE = 128 << 20, VRAM = 0x18000000, VRAM_SIZE = 6 << 20 };

static uint8_t *script;
static size_t script_size;
static int watch, own, bench;
static const char *record;

typedef struct {
    pica200_gpu *gpu;
    uint8_t *fcram, *vram;
    FILE *out;
    int failed;
} player;

static uint32_t word(const uint8_t *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint64_t sum(uint64_t h, const void *data, size_t bytes) {
    const uint8_t *p = (const uint8_t *)data;
    uint64_t w;
    size_t i;
    for (i = 0; i + 8 <= bytes; i += 8) {
        memcpy(&w, p + i, 8);
        h = (h ^ w) * 0x9E3779B97F4A7C15u;
        h ^= h >> 29;
    }
    return h;
}

enum { PAGE = 4096, INSET = 16 };

/* Memory of zeros, which begins inside of a page like that of malloc. */
static uint8_t *memory(size_t bytes) {
    void *p = mmap(NULL, bytes + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) abort();
    return (uint8_t *)p + INSET;
}

static void free_memory(uint8_t *p, size_t bytes) { munmap(p - INSET, bytes + PAGE); }

/* Pages of nothing but zeros, which is most of memory, count by their number alone.
 * Those that nobody has touched are not even read. (Pages that were swapped out would
 * count as untouched, and the sums would differ.) */
static uint64_t sum_memory(uint64_t h, uint8_t *data, size_t bytes) {
    static const uint8_t zeros[PAGE];
    size_t at, pages = bytes / PAGE + 1;
    unsigned char *touched = (unsigned char *)malloc(pages);
    if (touched == NULL || mincore(data - INSET, bytes + PAGE, touched) != 0) abort();
    for (at = 0; at < bytes; at += PAGE) {
        if (((touched[at / PAGE] | touched[at / PAGE + 1]) & 1) == 0) continue;
        if (memcmp(data + at, zeros, PAGE) == 0) continue;
        h ^= at;
        h = sum(h, data + at, PAGE);
    }
    free(touched);
    return h;
}

static void check(player *p, int failed, const char *what) {
    if (!failed) return;
    fprintf(stderr, "%s: %s\n", what, pica200_error(p->gpu));
    p->failed = 1;
}

static void load(player *p, uint32_t address, const uint8_t *data, uint32_t bytes) {
    uint8_t *at;
    if (own) {
        check(p, pica200_load(p->gpu, address, data, bytes), "load");
        return;
    }
    if (address >= FCRAM && address - FCRAM + (uint64_t)bytes <= FCRAM_SIZE)
        at = p->fcram + (address - FCRAM);
    else if (address >= VRAM && address - VRAM + (uint64_t)bytes <= VRAM_SIZE)
        at = p->vram + (address - VRAM);
    else {
        check(p, 1, "no memory there");
        return;
    }
    memcpy(at, data, bytes);
    if (!watch) check(p, pica200_invalidate(p->gpu, address, bytes), "invalidate");
}

static int event(pica200_gpu *g, const uint8_t *e) {
    uint32_t kind = word(e), w[7], i;
    for (i = 0; i < 7; i++) w[i] = word(e + 4 + 4 * i);
    switch (kind) {
    case 2: return pica200_write(g, w[0], w[1], (uint64_t)w[3] << 32 | w[2]);
    case 3: return pica200_list(g, w[0], w[1], w[2]);
    case 4: return pica200_fill(g, w[0], w[1], w[2], w[3]);
    case 5: return pica200_transfer(g, w[0], w[1], w[3], w[2], w[4]);
    case 6: return pica200_copy(g, w[0], w[1], w[2], w[3], w[4], w[5]);
    case 7: return pica200_show(g, (int)(w[0] & 0xFF), (int)(w[0] >> 8 & 1), w[1], w[2], w[3], w[4], w[5], w[6]);
    }
    return 1;
}

static void frame(player *p) {
    static const int screens[] = {0, 1, 2};
    uint64_t h = 0;
    int i, width, height;
    for (i = 0; i < 3; i++) {
        uint8_t *rgba;
        check(p, pica200_screen(p->gpu, screens[i], NULL, 0, &width, &height), "screen");
        rgba = (uint8_t *)malloc((size_t)width * (size_t)height * 4);
        check(p, pica200_screen(p->gpu, screens[i], rgba, (size_t)width * (size_t)height * 4, NULL, NULL), "screen");
        h = sum(h, rgba, (size_t)width * (size_t)height * 4);
        free(rgba);
    }
    if (own) {
        check(p, pica200_fetch(p->gpu, VRAM, p->vram, VRAM_SIZE), "fetch");
        check(p, pica200_fetch(p->gpu, FCRAM, p->fcram, FCRAM_SIZE), "fetch");
    }
    h = sum_memory(h, p->vram, VRAM_SIZE);
    h = sum_memory(h, p->fcram, FCRAM_SIZE);
    fprintf(p->out, "%016llx\n", (unsigned long long)h);
}

static void *play(void *arg) {
    player *p = (player *)arg;
    pica200_options o = {0};
    char why[256];
    const uint8_t *at = script, *end = script + script_size;
    int begun = 0;
    p->fcram = memory(FCRAM_SIZE);
    p->vram = memory(VRAM_SIZE);
    if (!own) {
        o.fcram = p->fcram;
        o.fcram_size = FCRAM_SIZE;
        o.vram = p->vram;
        o.vram_size = VRAM_SIZE;
    }
    o.memory = watch ? PICA200_WATCH : PICA200_TOLD;
    p->gpu = pica200_create(&o, why, sizeof why);
    if (p->gpu == NULL) {
        fprintf(stderr, "create: %s\n", why);
        p->failed = 1;
    }
    while (!p->failed && at + 4 <= end && word(at) != 0) {
        uint32_t op = word(at), i, n;
        if (op == 4) {
            uint32_t *words;
            n = word(at + 8);
            words = (uint32_t *)malloc(4 * (size_t)n + 4);
            for (i = 0; i < n; i++) words[i] = word(at + 12 + 4 * i);
            check(p, pica200_set_state(p->gpu, word(at + 4), words, n), "state");
            free(words);
            at += 12 + 4 * (size_t)n;
            continue;
        }
        if (!begun && record != NULL) check(p, pica200_recording_begin(p->gpu, record, "play.c", "a script"), "recording");
        begun = 1;
        if (op == 1) {
            n = word(at + 8);
            load(p, word(at + 4), at + 12, n);
            at += 12 + (size_t)n;
        } else if (op == 2) {
            check(p, event(p->gpu, at + 4), "event");
            at += 36;
        } else {
            frame(p);
            check(p, pica200_recording_frame(p->gpu), "frame");
            at += 4;
        }
    }
    check(p, pica200_recording_end(p->gpu), "end of the recording");
    return NULL;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* The cost of calls that have nothing to do. */
static void measure(player *p) {
    /* a list of one command: GPUREG_FINALIZE */
    static const uint8_t list[16] = {0x78, 0x56, 0x34, 0x12, 0x10, 0, 0x0F, 0};
    enum { N = 20000 };
    double t;
    uint32_t v;
    int i;
    load(p, FCRAM, list, sizeof list);
    t = now();
    for (i = 0; i < N; i++) pica200_read(p->gpu, 0x1040001C, &v);
    printf("read %.0f ns\n", (now() - t) / N);
    t = now();
    for (i = 0; i < N; i++) pica200_write(p->gpu, 0x10400018, 4, (uint64_t)i);
    printf("write %.0f ns\n", (now() - t) / N);
    t = now();
    for (i = 0; i < N; i++) pica200_list(p->gpu, FCRAM, sizeof list, 0);
    printf("list %.0f ns\n", (now() - t) / N);
    t = now();
    for (i = 0; i < N; i++) pica200_invalidate(p->gpu, FCRAM, 4096);
    printf("invalidate %.0f ns\n", (now() - t) / N);
}

int main(int argc, char **argv) {
    player p[2];
    FILE *f;
    int i, count = 1;
    memset(p, 0, sizeof p);
    for (i = 2; i < argc; i++) {
        if (strcmp(argv[i], "watch") == 0) watch = 1;
        if (strcmp(argv[i], "own") == 0) own = 1;
        if (strcmp(argv[i], "bench") == 0) bench = 1;
        if (strcmp(argv[i], "threads") == 0) count = 2;
        if (strcmp(argv[i], "record") == 0 && i + 1 < argc) record = argv[++i];
    }
    if (argc < 2 || (f = fopen(argv[1], "rb")) == NULL) return 3;
    fseek(f, 0, SEEK_END);
    script_size = (size_t)ftell(f);
    rewind(f);
    script = (uint8_t *)malloc(script_size + 1);
    if (fread(script, 1, script_size, f) != script_size) return 3;
    fclose(f);
    for (i = 0; i < count; i++) p[i].out = tmpfile();
    if (count == 1) {
        play(&p[0]);
    } else {
        pthread_t threads[2];
        for (i = 0; i < 2; i++) pthread_create(&threads[i], NULL, play, &p[i]);
        for (i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    }
    if (bench && !p[0].failed) measure(&p[0]);
    for (i = 0; i < count; i++) {
        int c, failed = p[i].failed;
        rewind(p[i].out);
        while ((c = fgetc(p[i].out)) != EOF) putchar(c);
        fclose(p[i].out);
        pica200_destroy(p[i].gpu);
        free_memory(p[i].fcram, FCRAM_SIZE);
        free_memory(p[i].vram, VRAM_SIZE);
        if (failed) return 1;
    }
    free(script);
    return 0;
}
