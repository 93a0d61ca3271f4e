/* What libpica200 owes a host that does everything wrong: an answer. */
#include "pica200.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int bad;

static void want(int ok, const char *what, const char *error) {
    printf("%s: %s\n", what, error);
    if (!ok) bad = 1;
}

/* A call that fails and says something of the kind. */
#define FAILS(call, text)                                                                \
    do {                                                                                 \
        int failed = (call);                                                             \
        want(failed && strstr(pica200_error(g), (text)) != NULL, #call, pica200_error(g)); \
    } while (0)
#define WORKS(call)                                                      \
    do {                                                                 \
        int failed = (call);                                             \
        want(!failed && pica200_error(g)[0] == 0, #call, pica200_error(g)); \
    } while (0)

int main(void) {
    pica200_options o = {0};
    char why[64], tiny[4];
    uint8_t page[4096] = {0}, rgba[16];
    uint32_t words[8], value = 1;
    int width = 0, height = 0;
    pica200_gpu *g;

    o.fcram = page;
    o.fcram_size = 4095;
    want(pica200_create(&o, why, sizeof why) == NULL && strstr(why, "4095") != NULL, "odd memory", why);
    want(pica200_create(&o, tiny, sizeof tiny) == NULL && strlen(tiny) == 3, "little room", tiny);
    want(pica200_create(&o, NULL, 0) == NULL, "no room", "");
    memset(&o, 0, sizeof o);
    o.workers = -1;
    want(pica200_create(&o, why, sizeof why) == NULL && strstr(why, "workers") != NULL, "workers", why);

    memset(&o, 0, sizeof o);
    for (o.memory = -1; o.memory < 9; o.memory += 8) /* -1 and 7 */
        want(pica200_create(&o, why, sizeof why) == NULL && strstr(why, "memory = ") != NULL, "way of memory", why);
    memset(&o, 0, sizeof o);
    o.vram_size = 4096;
    want(pica200_create(&o, why, sizeof why) == NULL && strstr(why, "vram is NULL") != NULL, "size of no memory", why);

    want(pica200_list(NULL, 0, 0, 0) == 1 && pica200_get_state(NULL, 1, NULL, 0) == 0, "no GPU", pica200_error(NULL));
    pica200_destroy(NULL);

    g = pica200_create(NULL, why, sizeof why);
    if (g == NULL) return 1;
    want(pica200_error(g)[0] == 0, "new", pica200_error(g));
    FAILS(pica200_list(g, 0, 16, 0), "no memory at 0x00000000");
    FAILS(pica200_list(g, 0x20000000, 0xFFFFFFF0u, 0), "without a write to GPUREG_FINALIZE");
    FAILS(pica200_write(g, 0x10400010, 3, 0), "3 bytes");
    FAILS(pica200_show(g, 7, 0, 0, 0, 0, 0, 0, 0), "screen 7");
    FAILS(pica200_show(g, 256, 0, 0, 0, 0, 0, 0, 0), "screen");
    FAILS(pica200_show(g, -256, 0, 0, 0, 0, 0, 0, 0), "screen");
    FAILS(pica200_set_state(g, 99, words, 8), "99");
    FAILS(pica200_set_state(g, 13, words, 17), "17 words");
    FAILS(pica200_set_state(g, 13, NULL, 8), "no words");
    FAILS(pica200_load(g, 0x10000000, page, sizeof page), "no memory");
    FAILS(pica200_fetch(g, 0xFFFFFFFFu, page, sizeof page), "no memory");
    FAILS(pica200_load(g, 0x18000000, NULL, 16), "data is NULL; expected 16 bytes");
    WORKS(pica200_load(g, 0x18000000, NULL, 0));
    FAILS(pica200_fetch(g, 0x18000000, NULL, 16), "data is NULL; expected room for 16 bytes");
    WORKS(pica200_fetch(g, 0x18000000, NULL, 0));
    FAILS(pica200_screen(g, -1, NULL, 0, &width, &height), "screens are");
    FAILS(pica200_screen(g, 3, NULL, 0, &width, &height), "screens are");
    FAILS(pica200_screen(g, 0, rgba, sizeof rgba, &width, &height), "the buffer is smaller than width * height * 4 bytes");
    want(width == 400 && height == 240, "size of the screen", "");
    FAILS(pica200_recording_begin(g, "/nowhere/at/all", NULL, NULL), "/nowhere");
    FAILS(pica200_recording_begin(g, NULL, NULL, NULL), "no path");
    WORKS(pica200_recording_end(g));
    WORKS(pica200_recording_frame(g));
    WORKS(pica200_screen(g, 0, NULL, sizeof rgba, NULL, NULL));
    WORKS(pica200_set_state(g, 13, NULL, 0));
    WORKS(pica200_invalidate(g, 0, 0xFFFFFFFFu));
    WORKS(pica200_read(g, 0xFFFFFFFFu, &value));
    WORKS(pica200_read(g, 0x10400478, NULL));
    want(pica200_get_state(g, 3, words, 8) == 0x300, "size of a block", "");
    want(pica200_get_state(g, 3, NULL, 8) == 0x300 && pica200_error(g)[0] == 0, "size of a block alone", pica200_error(g));
    want(pica200_get_state(g, 0, words, 8) == 0 && pica200_error(g)[0] != 0, "no block", "");
    WORKS(pica200_reset(g));
    want(pica200_version()[0] != 0 && pica200_api() == PICA200_API, "version", pica200_version());
    pica200_destroy(g);
    return bad;
}
