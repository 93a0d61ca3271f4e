/* What a host can do wrong, one recording each: prints its name and what the
 * recorder says. Wrong options must leave a file that is there alone, and what
 * was recorded before an error must stay readable.
 *
 *   edges FOLDER
 */
#define PICA200_RECORD_IMPLEMENTATION
#include "pica200_record.h"

static uint8_t memory[3 * 4096 + 100];
static pica200_record_options options;
static char path[4096];

static void begin(const char *folder, const char *name) {
    memset(&options, 0, sizeof options);
    options.producer = name;
    options.regions[0].data = memory;
    options.regions[0].address = 0x20000000;
    options.regions[0].size = sizeof memory; /* ends in the middle of a page */
    options.region_count = 1;
    snprintf(path, sizeof path, "%s/%s.picatrace", folder, name);
}

static void end(const char *name, pica200_recorder *r) {
    const char *error = pica200_record_error(r);
    printf("%s: %s", name, error == NULL ? "well" : error);
    printf(" (%d)\n", pica200_record_close(r));
}

/* Two frames and what is done wrong between them. */
#define WRONG(name, what)                                   \
    do {                                                    \
        pica200_recorder *r;                                \
        begin(argv[1], name);                               \
        r = pica200_record_open(path, &options);            \
        pica200_record_begin(r);                            \
        pica200_record_frame(r);                            \
        what;                                               \
        pica200_record_frame(r);                            \
        end(name, r);                                       \
    } while (0)

/* Options that are wrong. */
#define OPTIONS(name, what)                                 \
    do {                                                    \
        begin(argv[1], name);                               \
        what;                                               \
        end(name, pica200_record_open(path, &options));     \
    } while (0)

int main(int argc, char **argv) {
    static uint32_t words[16];
    static const uint8_t rgb[12] = {0};
    static char title[202];
    int i;
    if (argc < 2) return 3;
    OPTIONS("overlap", {
        options.regions[1] = options.regions[0];
        options.regions[1].address += 4096;
        options.region_count = 2;
    });
    OPTIONS("nodata", options.regions[0].data = NULL);
    OPTIONS("unaligned", options.regions[0].address += 16);
    OPTIONS("behind", options.regions[0].address = 0xFFFFF000u);
    OPTIONS("many", options.region_count = 9);
    OPTIONS("negative", options.region_count = -1);
    OPTIONS("beside", {
        options.regions[1] = options.regions[0];
        options.regions[1].address += 4 * 4096;
        options.regions[2].size = 0; /* nothing, in the middle of another */
        options.regions[2].address = 0x20001000;
        options.region_count = 3;
    });
    end("nothing", pica200_record_open(NULL, NULL));
    begin(argv[1], "nowhere");
    end("nowhere", pica200_record_open("/nowhere/at/all", &options));
    WRONG("width", pica200_record_write(r, 0x10400000, 3, 1));
    WRONG("picture", pica200_record_shown(r, 3, 2, 2, rgb));
    WRONG("late", pica200_record_block(r, PICA200_BLOCK_GAS_TABLE, words, 16));
    WRONG("changed", pica200_record_changed(r, 0x1FFFFFF0, 0xFFFFFFFFu)); /* not told: nothing */
    WRONG("outside", pica200_record_list(r, 0x40000001, 0xFFFFFFFFu, 0xFFFFFFFFu));
    WRONG("screen", pica200_record_screen(r, -1, 7, 1, 2, 3, 4, 0xFFFFFFFFu, 0xFFFFFFFFu));
    {
        pica200_recorder *r;
        begin(argv[1], "early");
        r = pica200_record_open(path, &options);
        pica200_record_begin(r);
        pica200_record_begin(r); /* again: nothing */
        pica200_record_shown(r, 0, 2, 2, rgb);
        end("early", r);
        begin(argv[1], "unbegun");
        r = pica200_record_open(path, &options);
        pica200_record_frame(r);
        end("unbegun", r);
        begin(argv[1], "frames");
        for (i = 0; i < 67; i++) memcpy(title + 3 * i, "\xE2\x82\xAC", 3); /* 201 bytes: euro signs */
        options.title = title;
        r = pica200_record_open(path, &options);
        pica200_record_begin(r);
        for (i = 0; i < 5000; i++) {
            memory[sizeof memory - 1] = (uint8_t)i; /* the last byte of all */
            memory[0] = (uint8_t)(i >> 8);
            pica200_record_fill(r, 0x20000000, 0x20000010, (uint32_t)i, 0);
            pica200_record_done(r);
            pica200_record_frame(r);
        }
        end("frames", r);
    }
    {
        static const uint32_t counts[PICA200_BLOCK_END] = {0, 0x400, 0x400, 0x300, 64, 4096, 128, 384, 4096, 128, 384, 6144,
            128, 16, 128, 128, 128, 256, 256, 790};
        static uint32_t state[0x2000];
        pica200_recorder *r;
        begin(argv[1], "check");
        r = pica200_record_open(path, &options);
        printf("check nothing: %s\n", pica200_record_check(r));
        for (i = 1; i < PICA200_BLOCK_END - 1; i++)
            if (i != PICA200_BLOCK_LIGHTING_TABLES) pica200_record_block(r, (uint32_t)i, state, counts[i]);
        printf("check most: %s\n", pica200_record_check(r));
        state[0x490 / 4] = 720;
        state[383] = 0xFFFFFF;
        for (i = 1; i < PICA200_BLOCK_END - 1; i++) pica200_record_block(r, (uint32_t)i, state, counts[i]);
        printf("check all: %s\n", pica200_record_check(r) == NULL ? "well" : pica200_record_check(r));
        state[383] = 0x3F800000; /* 1 as float32 */
        pica200_record_block(r, PICA200_BLOCK_VERTEX_UNIFORMS, state, 384);
        printf("check floats: %s\n", pica200_record_check(r));
        pica200_record_close(r);
        printf("check none: %s\n", pica200_record_check(NULL));
    }
    pica200_record_close(NULL);
    return 0;
}
