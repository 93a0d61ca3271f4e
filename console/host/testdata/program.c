/* program.c - programs for the host's tests: which one runs says the name of the file. Part of pica200, MIT License. */
#include <3ds.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LINE = 240 * 3, TOP = LINE * 400 };
static uint8_t *const linear = (uint8_t *)OS_FCRAM_VADDR, *const vram = (uint8_t *)OS_VRAM_VADDR;

static u32 address(const void *p) { return (u32)(uintptr_t)p; }
static void gx(u32 id, u32 a, u32 b, u32 c, u32 d, u32 e, u32 f, u32 g) { gspSubmitGxCommand((const u32[8]){id, a, b, c, d, e, f, g}); }
static void blank(void) { gspWaitForEvent(GSPGPU_EVENT_VBlank0, true); }
static void say(void *what) { fprintf(stderr, "%s\n", (const char *)what); }

/* All of linear memory is the program's, but for the part that nobody asked for. */
static void take(void) {
    linearMemAlign(0xB0000, 0x80);
    linear[0xB0000] = 9;
}

/* Commands in the order of their interrupts, memory that is told of once, and two screens. */
static int commands(void) {
    static const char *const names[] = {"PSC0", "PSC1", NULL, NULL, "PPF", "P3D", "DMA"};
    for (int i = 0; i < 7; i++)
        if (names[i]) gspSetEventCallback((GSPGPU_Event)i, say, (void *)names[i], i == GSPGPU_EVENT_P3D);
    take();
    linear[0x5000] = 1;
    GSPGPU_FlushDataCache(linear, __ctru_linear_heap_size);
    GSPGPU_FlushDataCache(linear, __ctru_linear_heap_size); /* nothing new */
    gx(1, address(linear + 0x5000), 64, 1, 0, 0, 0, 0);
    gx(2, address(vram), 0x33, address(vram + 4096), address(linear + 0x10000), 0x55, address(linear + 0x10000 + TOP), 0x201 << 16 | 0x101);
    GSPGPU_FlushDataCache(linear, __ctru_linear_heap_size); /* the GPU knows what it filled */
    gx(3, address(vram), address(linear + 0x90000), 240 | 400 << 16, 16 | 32 << 16, 0x1001000, 0, 0);
    gx(4, address(vram), address(linear + 0xA0000), 256, 0x20002, 0x30003, 8, 0);
    gx(2, 0, 0, 0, address(vram), 0x44, address(vram + 4096), 0x101 << 16);
    say("waits");
    gspWaitForEvent(GSPGPU_EVENT_PPF, false);
    gx(1, address(linear + 0x5000), 32, 0, 0, 0, 0, 0); /* its callback was for once */
    memset(linear + 0x20000, 7, 8);
    gx(0, address(linear + 0x20000), address(linear + 0x30000), 8, 0, 0, 0, 0);
    fprintf(stderr, "event %d\n", gspWaitForAnyEvent());
    gspPresentBuffer(0, 1, linear + 0x10000, linear + 0x10000, LINE, 0x341);
    gspPresentBuffer(1, 0, vram, vram, LINE, 0x301);
    fprintf(stderr, "pending %d\n", gspIsPresentPending(0));
    blank();
    fprintf(stderr, "pending %d\n", gspIsPresentPending(0));
    u32 value = 0x12345678, mask;
    GSPGPU_WriteHWRegs(0x202204, &value, 4);
    GSPGPU_ReadHWRegs(0x400468, &mask, 4);
    fprintf(stderr, "read %X\n", mask);
    while (aptMainLoop()) blank();
    return 0;
}

/* Fills the top screen, writes a pixel on it, and shows the other one in turn. */
static void show(void) {
    take();
    memset(linear + 0x10000, 0, 6);
    gx(2, address(linear + 0x10000), 0x102030, address(linear + 0x10000 + TOP), 0, 0, 0, 0x101);
    gspWaitForEvent(GSPGPU_EVENT_PSC0, false);
    memcpy(linear + 0x10000 + LINE, "\3\2\1", 3);
    gspPresentBuffer(0, 0, linear + 0x10000, linear + 0x10000, LINE, 0x341);
    blank();
}
static int picture(void) {
    while (aptMainLoop()) show();
    return 0;
}

/* Keys and the slider, a line for each frame. */
static int keys(void) {
    while (aptMainLoop()) {
        touchPosition t;
        circlePosition c;
        hidScanInput();
        hidTouchRead(&t), hidCircleRead(&c);
        printf("%X %X %X %u,%u %d,%d %.2f\n", hidKeysDown(), hidKeysHeld(), hidKeysUp(), t.px, t.py, c.dx, c.dy,
               (double)((osSharedConfig_s *)OS_SHAREDCFG_VADDR)->slider_3d);
        blank();
    }
    return 0;
}

static LightLock lock;
static LightEvent event;
static CondVar cond;
static int turn;
static void worker(void *name) {
    for (int i = 0; i < 2; i++) {
        LightLock_Lock(&lock);
        printf("%s %d in frame %d\n", (char *)name, i, (int)(svcGetSystemTick() / 4481136));
        svcSleepThread(20000000); /* holds it over a frame's end */
        LightLock_Unlock(&lock);
        svcSleepThread(0);
    }
    LightLock_Lock(&lock);
    while (turn != *(char *)name) CondVar_Wait(&cond, &lock);
    printf("%s has its turn\n", (char *)name);
    LightLock_Unlock(&lock);
    LightEvent_Signal(&event);
}

/* Two threads that share a lock, wait for a turn and end. */
static int threads(void) {
    LightLock_Init(&lock), LightEvent_Init(&event, RESET_ONESHOT), CondVar_Init(&cond);
    Thread a = threadCreate(worker, "a", 0, 0x30, -1, false), b = threadCreate(worker, "b", 0, 0x30, -1, false);
    printf("joined %d\n", threadJoin(a, 1000000) == 0);
    svcSleepThread(200000000);
    for (const char *c = "ba"; *c; c++) {
        LightLock_Lock(&lock);
        turn = *c;
        CondVar_WakeUp(&cond, -1);
        LightLock_Unlock(&lock);
        LightEvent_Wait(&event);
    }
    printf("timeout %d\n", LightEvent_WaitTimeout(&event, 1000));
    threadJoin(a, UINT64_MAX), threadFree(a), threadFree(b);
    printf("time %lld %lld\n", (long long)time(NULL), (long long)(osGetTime() - 3155673600000));
    return 0;
}

static int files(void) {
    char text[32] = "";
    FILE *f = fopen("romfs:/a/b.txt", "r");
    struct stat s;
    if (romfsMountSelf("romfs") == 0 && f) printf("%s", fgets(text, sizeof text, f));
    printf("%d", mkdir("sdmc:/new", 0777) | rename("sdmc:/new", "sdmc:/newer") | stat("sdmc:/newer", &s) | rmdir("sdmc:/newer"));
    printf("%d\n", (f = fopen("sdmc:/x", "w")) ? fclose(f) | rename("sdmc:/x", "sdmc:/y") | unlink("sdmc:/y") : 9);
    return fopen("romfs:/none", "r") != NULL || remove("sdmc:/a/b.txt") != 0 || stat("sdmc:/a/b.txt", &s) == 0;
}

/* The system's font: what its tables say, and where its first sheet has ink. */
static int fonts(void) {
    if (fontEnsureMapped() != 0 || fontEnsureMapped() != 0) return 1;
    const FINF_s *f = &g_sharedFont->finf;
    const TGLP_s *t = f->tglp;
    printf("lines of %u, else %u, %d %u %u, %ux%u, ascent %u\n", f->lineFeed, f->alterCharIndex, f->defaultWidth.left,
           f->defaultWidth.glyphWidth, f->defaultWidth.charWidth, f->width, f->height, f->ascent);
    printf("cells %ux%u, base %u, widest %u, %u sheets of %u, format %u, %ux%u cells, %ux%u\n", t->cellWidth, t->cellHeight, t->baselinePos,
           t->maxCharWidth, t->nSheets, t->sheetSize, t->sheetFmt, t->nRows, t->nLines, t->sheetWidth, t->sheetHeight);
    for (const CWDH_s *w = f->cwdh; w; w = w->next) {
        printf("widths %u-%u", w->startIndex, w->endIndex);
        for (int i = 0; i <= w->endIndex - w->startIndex && i < 3; i++) printf(", %d %u %u", w->widths[i].left, w->widths[i].glyphWidth, w->widths[i].charWidth);
        printf("\n");
    }
    for (const CMAP_s *m = f->cmap; m; m = m->next) {
        const u16 *values = &m->indexOffset;
        int n = m->mappingMethod == CMAP_TYPE_TABLE ? m->codeEnd - m->codeBegin + 1 : m->mappingMethod == CMAP_TYPE_SCAN ? 1 + 2 * values[0] : 1;
        printf("letters %X-%X by %u:", m->codeBegin, m->codeEnd, m->mappingMethod);
        for (int i = 0; i < n; i++) printf(" %u", values[i]);
        printf("\n");
    }
    int ink = 0, first = -1, last = 0;
    for (int i = 0; i < (int)t->sheetSize; i++)
        if (t->sheetData[i]) ink++, last = i, first = first < 0 ? i : first;
    printf("ink %d, %d to %d, at 0x%X\n", ink, first, last, address(t->sheetData));
    return 0;
}

static void draw(void) { *(volatile int *)8 = 1; }
static int crash(void) { return blank(), draw(), 0; }
static int picture_crash(void) { return show(), show(), show(), draw(), 0; }
static int divide(void) { volatile int none = 0; return blank(), 7 / none; }
static int loop(void) { for (volatile int i = 0; i >= 0; i ^= 1) {} return 0; }
static int missing(void) { return printf("%X %d\n", (unsigned)ndspInit(), ndspChnIsPlaying(3)), notThereEither(), 0; }
static int breaks(void) { return svcBreak(USERBREAK_PANIC), 0; }
static int much(void) { return malloc(80 << 20) == NULL; }
static int leak(void) { for (;;) memset(malloc(1 << 20), 1, 1 << 20); return 0; }
static int bad_list(void) { return gx(1, address(linear), 13, 0, 0, 0, 0, 0), 0; }
static int elsewhere(void) { return gx(3, 0x8000000, address(vram), 0, 0, 0, 0, 0), 0; }
static int early(void) { return blank(), 0; }
static int forever(void) { for (;;) blank(); return 0; }

int main(int argc, char **argv) {
#define TRY(name) {#name, name}
    static const struct { const char *name; int (*run)(void); } all[] = {
        TRY(commands),
        TRY(picture),
        TRY(keys),
        TRY(threads),
        TRY(files),
        TRY(fonts),
        TRY(crash),
        TRY(picture_crash),
        TRY(divide),
        TRY(loop),
        TRY(missing),
        TRY(breaks),
        TRY(much),
        TRY(leak),
        TRY(bad_list),
        TRY(elsewhere),
        TRY(early),
        TRY(forever),
    };
    const char *name = strrchr(argv[argc - 1], '/') + 1;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].name, name) == 0) return all[i].run();
    return 2;
}
