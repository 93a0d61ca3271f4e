/* memory.c - maps the console's memory at the console's addresses, and limits it to the
 * console's size. Part of pica200, MIT License. */
#define _GNU_SOURCE
#include "host.h"

#include <errno.h>
#include <malloc.h>
#include <string.h>
#include <sys/mman.h>

/* Variables of libctru's allocateHeaps.c, which libctru's allocators read. */
u32 __ctru_linear_heap = OS_FCRAM_VADDR, __ctru_linear_heap_size = HOST_LINEAR;
u32 __ctru_heap, __ctru_heap_size = HOST_HEAP;

enum { PAGE = 4096 };
static uint8_t *known; /* copy of main memory as the GPU last saw it */

static void *map(uintptr_t address, size_t size, const char *what) {
    int fixed = address ? MAP_FIXED_NOREPLACE : 0;
    void *at = mmap((void *)address, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
    if (at == MAP_FAILED || (address && at != (void *)address))
        host_stop(NULL, "no memory at 0x%08lX for %s (%s)",
                  (unsigned long)address, what, strerror(errno));
    return at;
}

/* Runs before the program's own constructors, which may allocate. */
__attribute__((constructor(101))) static void map_all(void) {
    mallopt(M_MMAP_MAX, 0), mallopt(M_ARENA_MAX, 1); /* malloc stays behind the program, where addresses fit 32 bits */
    map(OS_FCRAM_VADDR, HOST_FCRAM, "main memory");
    map(OS_VRAM_VADDR, HOST_VRAM, "VRAM");
    map(OS_KERNELCFG_VADDR, 2 * PAGE, "the system's pages");
    known = map(0, HOST_FCRAM, "a copy of main memory");
    osKernelConfig_s *k = (osKernelConfig_s *)(uintptr_t)OS_KERNELCFG_VADDR;
    k->kernel_ver = SYSTEM_VERSION(2, 58, 0); /* system 11.17 on an old 3DS, with 64 MiB for programs */
    k->firm_ver = SYSTEM_VERSION(2, 58, 0);
    k->kernel_syscore_ver = 2;
    k->memregion_sz[0] = 64 << 20, k->memregion_sz[1] = 44 << 20, k->memregion_sz[2] = 20 << 20;
}

u32 osConvertVirtToPhys(const void *address) {
    static const struct { uintptr_t from, size; u32 to; } ranges[] = {
        {OS_FCRAM_VADDR, HOST_FCRAM, OS_FCRAM_PADDR}, {OS_VRAM_VADDR, HOST_VRAM, OS_VRAM_PADDR}};
    uintptr_t at = (uintptr_t)address;
    for (int i = 0; i < 2; i++)
        if (at - ranges[i].from < ranges[i].size) return (u32)(at - ranges[i].from + ranges[i].to);
    return 0;
}

void *osConvertOldLINEARMemToNew(const void *address) {
    uintptr_t at = (uintptr_t)address;
    if (at - OS_OLD_FCRAM_VADDR < HOST_FCRAM) at += OS_FCRAM_VADDR - OS_OLD_FCRAM_VADDR;
    return at - OS_FCRAM_VADDR < HOST_FCRAM ? (void *)at : NULL;
}

/* End of the linear memory that libctru has allocated so far (host.mk wraps its
 * allocator). The program cannot have written beyond it. */
static uintptr_t given = OS_FCRAM_VADDR;

static void *note(void *p, size_t size) {
    if (p && (uintptr_t)p + size > given) given = (uintptr_t)p + size;
    return p;
}
void *__real_linearAlloc(size_t), *__real_linearMemAlign(size_t, size_t), *__real_linearRealloc(void *, size_t);
void *__wrap_linearAlloc(size_t n) { return note(__real_linearAlloc(n), n); }
void *__wrap_linearMemAlign(size_t n, size_t align) { return note(__real_linearMemAlign(n, align), n); }
void *__wrap_linearRealloc(void *p, size_t n) { return note(__real_linearRealloc(p, n), n); }

/* Programs flush all linear memory in each frame. Only pages that did change are reported
 * to the GPU, so that it keeps decoded textures and recordings stay small. */
void host_changed(uint32_t physical, uint32_t bytes) {
    if (physical - OS_FCRAM_PADDR >= HOST_FCRAM) {
        pica200_invalidate(host_gpu, physical, bytes);
        return;
    }
    uint32_t at = (physical - OS_FCRAM_PADDR) / PAGE * PAGE, from = 0, run = 0;
    uint64_t end = (uint64_t)physical - OS_FCRAM_PADDR + bytes;
    if (end > HOST_FCRAM) end = HOST_FCRAM;
    if (at < HOST_LINEAR && end <= HOST_LINEAR && end > given - OS_FCRAM_VADDR) end = given - OS_FCRAM_VADDR;
    for (; at < end; at += PAGE) {
        const void *now = (const void *)(uintptr_t)(OS_FCRAM_VADDR + at);
        if (memcmp(known + at, now, PAGE) != 0) {
            memcpy(known + at, now, PAGE);
            if (run == 0) from = at;
            run += PAGE;
        } else if (run) {
            pica200_invalidate(host_gpu, OS_FCRAM_PADDR + from, run);
            run = 0;
        }
    }
    if (run) pica200_invalidate(host_gpu, OS_FCRAM_PADDR + from, run);
}

void host_drawn(uint32_t physical, uint32_t bytes) {
    if (physical - OS_FCRAM_PADDR >= HOST_FCRAM) return;
    uint32_t at = physical - OS_FCRAM_PADDR;
    if (bytes > HOST_FCRAM - at) bytes = HOST_FCRAM - at;
    memcpy(known + at, (const void *)(uintptr_t)(OS_FCRAM_VADDR + at), bytes);
}

static void flush(const void *address, u32 bytes) {
    u32 physical = osConvertVirtToPhys(address);
    if (physical && host_gpu) host_changed(physical, bytes);
}

Result GSPGPU_FlushDataCache(const void *address, u32 bytes) { return flush(address, bytes), 0; }
Result svcFlushProcessDataCache(Handle process, u32 address, u32 bytes) {
    (void)process;
    return flush((const void *)(uintptr_t)address, bytes), 0;
}

/* The program's malloc (host.mk wraps it), limited to what a console has. */
void *__real_malloc(size_t), *__real_calloc(size_t, size_t), *__real_realloc(void *, size_t), *__real_memalign(size_t, size_t);
void __real_free(void *);
static size_t held;

static void *take(void *p, size_t size, const void *where) {
    size_t now = p ? malloc_usable_size(p) : 0;
    if (size > HOST_HEAP || (held += now) > HOST_HEAP)
        host_stop(where, "malloc of %zu bytes: programs have %d MiB on the console, and %zu bytes are in use", size,
                  HOST_HEAP >> 20, held - now);
    return p;
}

void *__wrap_malloc(size_t n) { return take(n > HOST_HEAP ? NULL : __real_malloc(n), n, HOST_CALLER); }
void *__wrap_calloc(size_t n, size_t size) {
    size_t all;
    if (__builtin_mul_overflow(n, size, &all)) all = SIZE_MAX;
    return take(all > HOST_HEAP ? NULL : __real_calloc(n, size), all, HOST_CALLER);
}
static void *aligned; /* the last such memory */
void *__wrap_memalign(size_t align, size_t n) { return aligned = take(n > HOST_HEAP ? NULL : __real_memalign(align, n), n, HOST_CALLER); }
/* All of the program's memory but stacks fits 32 bits; with sanitizers only that of the console's addresses does. */
void *host_pointer(u32 address) { return (u32)(uintptr_t)aligned == address ? aligned : (void *)(uintptr_t)address; }
void __wrap_free(void *p) {
    if (p) held -= malloc_usable_size(p) < held ? malloc_usable_size(p) : held;
    __real_free(p);
}
void *__wrap_realloc(void *p, size_t n) {
    size_t was = p ? malloc_usable_size(p) : 0;
    held -= was < held ? was : held;
    return take(n > HOST_HEAP ? NULL : __real_realloc(p, n), n, HOST_CALLER);
}
