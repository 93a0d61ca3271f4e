/* libctru.c - stands for libctru in tests: an allocator, the console's letters and a place for
 * the system's font. Part of pica200, MIT License. */
#include <3ds.h>

CFNT_s *g_sharedFont;
const u8 default_font_bin[1024] = {[8 * '!' + 1] = 0x18, 0x30, 0x10}; /* three rows */

/* All of it, from the start. */
void *linearMemAlign(size_t size, size_t align) { return (void)align, size <= __ctru_linear_heap_size ? (void *)(uintptr_t)__ctru_linear_heap : NULL; }
void *linearAlloc(size_t size) { return linearMemAlign(size, 0x80); }
void *linearRealloc(void *p, size_t size) { return (void)p, linearAlloc(size); }

/* Of ASCII. */
ssize_t utf8_to_utf16(uint16_t *to, const uint8_t *from, size_t room) {
    size_t n = 0;
    for (; from[n]; n++)
        if (n < room) to[n] = from[n];
    return (ssize_t)n;
}
ssize_t utf16_to_utf8(uint8_t *to, const uint16_t *from, size_t room) {
    size_t n = 0;
    for (; from[n]; n++)
        if (n < room) to[n] = (uint8_t)from[n];
    return (ssize_t)n;
}
