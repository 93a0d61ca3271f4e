/* libctru.c - stands for libctru in tests: an allocator, the console's letters and a place for
 * the system's font. Part of pica200, MIT License. */
#include <3ds.h>

CFNT_s *g_sharedFont;
const u8 default_font_bin[1024] = {[8 * '!' + 1] = 0x18, 0x30, 0x10}; /* three rows */

/* All of it, from the start. */
void *linearMemAlign(size_t size, size_t align) { return (void)align, size <= __ctru_linear_heap_size ? (void *)(uintptr_t)__ctru_linear_heap : NULL; }
void *linearAlloc(size_t size) { return linearMemAlign(size, 0x80); }
void *linearRealloc(void *p, size_t size) { return (void)p, linearAlloc(size); }
