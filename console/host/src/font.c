/* font.c - converts fonts of the console, whose files hold 32-bit offsets, to libctru's
 * structures, which have pointers of this machine. The system's font is the file of
 * --font, or else made from the letters of libctru's console. Part of pica200, MIT
 * License. */
#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 20, TEXTURES = HEAD + 16, WIDTHS = TEXTURES + 4, MAPS = WIDTHS + 4, SIZES = MAPS + 4 }; /* offsets in a file */

static u32 word(const u8 *file, u32 at) { u32 v; return memcpy(&v, file + at, 4), v; }
static u16 half(const u8 *file, u32 at) { u16 v; return memcpy(&v, file + at, 2), v; }

/* Returns the offset stored at offset at, after checking that so many bytes are there; 0 ends a list. */
static u32 part(const u8 *file, u32 at, u32 bytes) {
    u32 to = word(file, at), size = word(file, 12);
    if (to && (to < HEAD || to > size || bytes > size - to || to % 2))
        host_stop(NULL, "fontFixPointers: the font is damaged: at 0x%X it names 0x%X, and it has %u bytes", at, to, size);
    return to;
}

/* The converted tables of a font. They are larger than those of the file, so they do not fit in its place. */
struct tables {
    CFNT_s *font;
    struct tables *next;
    TGLP_s textures;
    max_align_t rest[];
};
static struct tables *all;

static void *more(u8 **to, size_t bytes) {
    u8 *at = *to;
    *to += (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    return at;
}

void __wrap_fontFixPointers(CFNT_s *font) {
    const u8 *file = (const u8 *)font;
    struct tables **old = &all;
    u32 size = word(file, 12);
    if (size < SIZES + 4) host_stop(NULL, "fontFixPointers: the font is damaged: it has %u bytes", size);
    while (*old && (*old)->font != font) old = &(*old)->next;
    if (*old) { /* another font was at this address before */
        struct tables *gone = *old;
        *old = gone->next;
        free(gone);
    }
    /* The tables of a file do not overlap, and each grows to at most four times its size. */
    struct tables *t = calloc(1, sizeof *t + 8 * (size_t)size);
    if (t == NULL) host_stop(NULL, "no memory for a font of %u bytes", size);
    t->font = font, t->next = all, all = t;
    u8 *to = (u8 *)t->rest;
    u32 at = part(file, TEXTURES, 24), left = size;
    if (at == 0) host_stop(NULL, "fontFixPointers: the font has no textures");
    memcpy(&t->textures, file + at, 20);
    u32 sheets = part(file, at + 20, t->textures.nSheets * t->textures.sheetSize);
    if (sheets < sizeof *font || (u64)t->textures.nSheets * t->textures.sheetSize > size)
        host_stop(NULL, "fontFixPointers: the font is damaged: its textures are at 0x%X", sheets);
    t->textures.sheetData = (u8 *)font + sheets;
    CWDH_s *widths = NULL, **next_widths = &widths;
    for (at = part(file, WIDTHS, 8); at; at = part(file, at + 4, 8)) {
        u32 n = half(file, at + 2) + 1u - half(file, at), bytes = n * 3;
        if (n > 0x10000 || bytes > size - at - 8 || bytes + 8 > left) host_stop(NULL, "fontFixPointers: the font is damaged: widths at 0x%X", at);
        left -= bytes + 8;
        CWDH_s *w = *next_widths = more(&to, sizeof *w + bytes);
        memcpy(w, file + at, 4), memcpy(w->widths, file + at + 8, bytes);
        next_widths = &w->next;
    }
    CMAP_s *maps = NULL, **next_map = &maps;
    left = size;
    for (at = part(file, MAPS, 14); at; at = part(file, at + 8, 14)) {
        u32 way = half(file, at + 4), n = half(file, at + 2) + 1u - half(file, at);
        u32 bytes = way == CMAP_TYPE_TABLE ? 2 * n : way == CMAP_TYPE_SCAN ? 2 + 4u * half(file, at + 12) : 2;
        if (n > 0x10000 || bytes > size - at - 12 || bytes + 12 > left) host_stop(NULL, "fontFixPointers: the font is damaged: letters at 0x%X", at);
        left -= bytes + 12;
        CMAP_s *m = *next_map = more(&to, sizeof *m + bytes);
        memcpy(m, file + at, 8), memcpy(&m->indexOffset, file + at + 12, bytes);
        next_map = &m->next;
    }
    u8 sizes[4], info[TEXTURES - HEAD];
    memcpy(sizes, file + SIZES, 4), memcpy(info, file + HEAD, sizeof info);
    memcpy(&font->finf, info, sizeof info); /* overwrites tables that were converted already */
    font->finf.tglp = &t->textures, font->finf.cwdh = widths, font->finf.cmap = maps;
    memcpy(&font->finf.height, sizes, 4);
}

/* --- The system's font --------------------------------------------------------- */

extern CFNT_s *g_sharedFont;        /* defined in libctru's font.c */
extern const u8 default_font_bin[]; /* libctru's console: 8 bytes a letter, a bit a pixel */

/* Makes a font of the console's letters of 8x8 pixels, enlarged 2 times in width and 3
 * times in height. The width of a letter is that of its set pixels. */
static void draw_letters(u8 *at) {
    enum { FIRST = 32, COUNT = 95, COLUMNS = 15, SHEET = 256, CELL_W = 16, CELL_H = 30, ABOVE = 4, BASE = 25 };
    static struct { CMAP_s map; u16 index[2]; } letters;
    static struct { CWDH_s head; charWidthInfo_s of[COUNT]; } widths;
    static TGLP_s textures = {.cellWidth = CELL_W, .cellHeight = CELL_H, .baselinePos = BASE, .maxCharWidth = CELL_W, .sheetSize = SHEET * SHEET,
        .nSheets = 1, .sheetFmt = 8 /* alpha, one byte a texel */, .nRows = COLUMNS, .nLines = 8, .sheetWidth = SHEET, .sheetHeight = SHEET};
    static CFNT_s font = {.finf = {.lineFeed = CELL_H, .alterCharIndex = '?' - FIRST, .defaultWidth = {0, CELL_W, CELL_W},
        .height = CELL_H, .width = CELL_W, .ascent = BASE}};
    for (int i = 0; i < COUNT; i++) {
        const u8 *rows = default_font_bin + 8 * (FIRST + i);
        int ink = 0, left = 0, right = 8;
        for (int y = 0; y < 8; y++) ink |= rows[y];
        while (ink && !(ink & 0x80 >> left)) left++;
        while (ink && !(ink & 0x80 >> (right - 1))) right--;
        widths.of[i] = ink ? (charWidthInfo_s){0, (u8)(2 * (right - left)), (u8)(2 * (right - left + 1))} : (charWidthInfo_s){0, 0, 8};
        for (int y = 0; y < 24; y++)
            for (int x = 0; x < 2 * (right - left); x++) {
                unsigned u = (unsigned)(i % COLUMNS * (CELL_W + 1) + 1 + x), v = (unsigned)(i / COLUMNS * (CELL_H + 1) + 1 + ABOVE + y), z = 0;
                for (int b = 0; b < 3; b++) z |= (u >> b & 1) << 2 * b | (v >> b & 1) << (2 * b + 1);
                at[(v / 8 * (SHEET / 8) + u / 8) * 64 + z] = rows[y / 3] & 0x80 >> (left + x / 2) ? 255 : 0;
            }
    }
    letters.map = (CMAP_s){.codeBegin = FIRST, .codeEnd = FIRST + COUNT - 1, .mappingMethod = CMAP_TYPE_DIRECT};
    widths.head = (CWDH_s){.endIndex = COUNT - 1};
    textures.sheetData = at;
    font.finf.tglp = &textures, font.finf.cwdh = &widths.head, font.finf.cmap = &letters.map;
    g_sharedFont = &font;
}

/* Puts the system's font behind the program's linear memory, where the GPU can read it. */
Result __wrap_fontEnsureMapped(void) {
    u8 *at = (u8 *)(uintptr_t)OS_FCRAM_VADDR + HOST_LINEAR;
    u32 room = HOST_FCRAM - HOST_LINEAR, size = room;
    if (g_sharedFont) return 0;
    if (host_option.font) {
        FILE *f = __real_fopen(host_option.font, "rb");
        if (f == NULL) host_stop(NULL, "%s cannot be read", host_option.font);
        size = (u32)fread(at, 1, room, f);
        fclose(f);
        if (size < HEAD || word(at, 12) > size || (memcmp(at, "CFNT", 4) != 0 && memcmp(at, "CFNU", 4) != 0))
            host_stop(NULL, "%s: not a whole font (.bcfnt)", host_option.font);
        g_sharedFont = (CFNT_s *)(void *)at;
        __wrap_fontFixPointers(g_sharedFont);
    } else {
        draw_letters(at);
        size = 1 << 16;
    }
    host_changed(OS_FCRAM_PADDR + HOST_LINEAR, size);
    return 0;
}
