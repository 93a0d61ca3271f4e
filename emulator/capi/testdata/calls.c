/* Calls every function with arguments that are right, wrong or at a limit, in an order that a seed gives, for two GPUs: one has its own memory, the
 * other the host's, with a redzone behind. Both are destroyed and made anew. Arguments: how many calls, the seed. */
#include "pica200.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t state;

static uint32_t any(uint32_t below) { /* xorshift32 */
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    return state % below;
}

static uint32_t place(void) {
    static const uint32_t at[] = {0, 0x18000000, 0x18000FF0, 0x185FFFF0, 0x18600000, 0x20000000, 0x20001000, 0x27FFFFF0, 0x28000000, 0xFFFFFFFF};
    return at[any(10)] + (any(4) == 0 ? any(64) : 0);
}

static uint32_t number(void) {
    static const uint32_t n[] = {0, 1, 2, 15, 16, 64, 4096, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
    return any(3) == 0 ? any(1 << 16) : n[any(10)];
}

static uint32_t dim(void) { return any(256) << 16 | any(256); }

int main(int argc, char **argv) {
    static uint8_t bytes[400 * 240 * 4];
    uint32_t words[0x400] = {0}, block, *list = (uint32_t *)bytes;
    pica200_gpu *gpus[2] = {NULL, NULL}, *g;
    uint8_t *vram = malloc(4096), *fcram = calloc(1, 128 << 20);
    long n = argc > 1 ? atol(argv[1]) : 1000, refused = 0, failed, i;
    int width, height, k, words_long = sizeof words / sizeof *words;
    char path[64], why[64];

    state = argc > 2 ? (uint32_t)atol(argv[2]) : 1;
    memset(vram, 0, 4096);
    snprintf(path, sizeof path, "/tmp/pica200-calls-%u.picatrace", state);
    for (i = 0; i < n; i++) {
        k = (int)any(2);
        if (gpus[k] == NULL) {
            pica200_options o = {0};
            o.workers = (int)any(3);
            if (k == 1) o.fcram = fcram, o.fcram_size = 128 << 20, o.vram = vram, o.vram_size = 4096, o.memory = (int)any(2);
            if ((gpus[k] = pica200_create(&o, why, sizeof why)) == NULL) return printf("%s\n", why), 1;
            continue;
        }
        g = any(100) == 0 ? NULL : gpus[k];
        failed = 0;
        switch (any(18)) {
        case 0: /* writes a list of random registers, and runs it */
            for (block = 0; block < 64; block += 2)
                list[block] = any(8) ? number() : any(0xFFFFFF), list[block + 1] = 0xF0000 | any(0x300);
            list[64] = 0x12345678, list[65] = 0xF0010;
            failed = pica200_load(g, 0x20000000, bytes, 66 * 4) || pica200_list(g, 0x20000000, any(4) ? 272 : number(), any(3));
            break;
        case 1: failed = pica200_list(g, place(), number(), any(4)); break;
        case 2: failed = pica200_fill(g, place(), place(), number(), any(4) ? 1 | any(4) << 8 : number()); break;
        case 3: failed = pica200_transfer(g, place(), place(), dim(), dim(), any(4) ? any(64) : number()); break;
        case 4: failed = pica200_copy(g, place(), place(), any(4) ? any(8192) : number(), dim(), dim(), any(2) ? 8 : number()); break;
        case 5: failed = pica200_show(g, (int)any(4) - 1, (int)number(), place(), place(), place(), place(), any(4) ? any(5) : number(), number()); break;
        case 6: failed = pica200_write(g, any(2) ? 0x10400000 + any(0x2000) : number(), any(2) ? 4 : any(10), number()); break;
        case 7: failed = pica200_read(g, any(2) ? 0x10400000 + any(0x2000) : place(), any(8) ? words : NULL); break;
        case 8:
            block = pica200_get_state(g, any(24), any(8) ? words : NULL, any(2) ? (uint32_t)words_long : any(16));
            failed = block == 0;
            break;
        case 9: failed = pica200_set_state(g, any(24), any(8) ? words : NULL, any(4) ? any(32) : (uint32_t)any(words_long)); break;
        case 10: failed = pica200_invalidate(g, place(), number()); break;
        case 11: failed = pica200_load(g, place(), any(8) ? bytes : NULL, any(4) ? any(sizeof bytes) : 16); break;
        case 12: failed = pica200_fetch(g, place(), any(8) ? bytes : NULL, any(4) ? any(sizeof bytes) : 16); break;
        case 13: failed = pica200_screen(g, (int)any(5) - 1, any(8) ? bytes : NULL, any(4) ? sizeof bytes : any(64), any(8) ? &width : NULL, any(8) ? &height : NULL); break;
        case 14:
            if (any(40)) goto none;
            failed = pica200_reset(g);
            break;
        case 15: failed = any(40) ? pica200_recording_frame(g) : pica200_recording_begin(g, any(4) ? path : any(2) ? "/nowhere/x" : NULL, any(2) ? "calls.c" : NULL, NULL); break;
        case 16:
            if (any(10)) goto none;
            failed = pica200_recording_end(g);
            break;
        case 17:
            if (any(60)) goto none;
            pica200_destroy(gpus[k]); /* also while it records */
            gpus[k] = NULL;
            continue;
        }
        if (failed) refused++;
        if (failed && strlen(pica200_error(g)) == 0) return printf("call %ld failed and says nothing\n", i), 1;
        continue;
    none:
        i--;
    }
    pica200_destroy(gpus[0]), pica200_destroy(gpus[1]);
    remove(path);
    free(vram), free(fcram);
    printf("%ld calls, %ld refused\n", n, refused);
    return 0;
}
