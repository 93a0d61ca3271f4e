/* program.c - programs for the host's tests: which one runs says the name of the file. Part of pica200, MIT License. */
#include <3ds.h>

#include <dirent.h>
#include <fcntl.h>
#include <malloc.h>
#include <newlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
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
    linear[0x40000] = 1, linear[0x42000] = 2; /* without a flush: a list may read them */
    gx(4, address(vram), address(linear + 0xA0000), 256, 0x20002, 0x30003, 8, 0);
    gx(2, 0, 0, 0, address(vram), 0x44, address(vram + 4096), 0x101 << 16);
    say("waits");
    gspWaitForEvent(GSPGPU_EVENT_PPF, false);
    gx(1, address(linear + 0x5000), 32, 0, 0, 0, 0, 0); /* its callback was for once */
    memset(linear + 0x20000, 7, 8);
    gx(3, address(linear + 0x20000), address(vram), 0x80008, 0x80008, 2, 0, 0);
    gx(0, address(linear + 0x20000), address(linear + 0x30000), 8, 0, 0, 0, 0);
    fprintf(stderr, "event %d\n", gspWaitForAnyEvent());
    gspPresentBuffer(0, 1, linear + 0x10000, linear + 0x10000, LINE, 0x341);
    gspPresentBuffer(1, 0, vram, vram, LINE, 0x301);
    fprintf(stderr, "pending %d\n", gspIsPresentPending(0));
    blank();
    fprintf(stderr, "pending %d\n", gspIsPresentPending(0));
    linear[0x44000] = 3;
    gx(4, address(linear + 0x44000), address(vram + 4096), 256, 0x20002, 0x30003, 8, 0); /* reads what was not flushed, too */
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
static int missing(void) { return notThereEither(), 0; }

static void out(long long value) { printf("%lld ", value); }
static void bits(Result r) { printf("%X ", (unsigned)r); }
static void line(void) { printf("\n"); }

/* What functions.txt says. */
static int answers(void) {
    u8 level = 9, medium = 9;
    u16 steps[3] = {1, 2, 3};
    u64 program = 9;
    bool registered = true, loaded = true;
    u32 attributes = 9;
    FS_ArchiveResource card = {0};
    bits(ndspInit()), out(ndspChnIsPlaying(3)), out(csndChannels), line();
    out(PTMU_GetBatteryLevel(&level)), out(level), out(PTMU_GetBatteryLevel(NULL)), out(PTMU_GetStepHistory(2, steps)), out(steps[0]), out(steps[1]), out(steps[2]), line();
    bits(APT_GetAppletInfo(APPID_ERROR, &program, &medium, &registered, &loaded, &attributes)), out((long long)program), out(registered), line();
    out(FSUSER_GetSdmcArchiveResource(&card)), out(card.sectorSize), out(card.totalClusters), out(*ptmuGetSessionHandle()), line();
    out(socInit(NULL, 0)), out(socket(2, 1, 0)), out(socket(1, 1, 0) > 0), line();
    return 0;
}

static Handle mutex, semaphore, one, sticky, timer;
static int order;
static void locker(void *name) {
    out(svcWaitSynchronization(mutex, -1)), out(svcWaitSynchronization(mutex, -1));
    printf("%s has it, %d\n", (const char *)name, ++order);
    svcSleepThread(5000000);
    out(svcReleaseMutex(mutex)), out(svcReleaseMutex(mutex)), bits(svcReleaseMutex(mutex)), line();
    svcSignalEvent(one);
    svcWaitSynchronization(mutex, -1);
    svcExitThread(); /* which gives the mutex back */
}
static void wake(void *at) { svcSleepThread(1000000), svcArbitrateAddress(0, address(at), ARBITRATION_SIGNAL, 1, 0); }
static u32 milliseconds(void) { return (u32)(svcGetSystemTick() / (SYSCLOCK_ARM11 / 1000)); }
static bool late(Result r) { return r == 0x09401BFE; }

static int kernel(void) {
    static s32 value;
    s32 at = 9, n = 9;
    u32 id = 0;
    Handle a, b, copy, none = 99;
    svcCreateMutex(&mutex, true), svcCreateSemaphore(&semaphore, 1, 3), svcCreateEvent(&one, RESET_ONESHOT), svcCreateEvent(&sticky, RESET_STICKY);
    svcCreateTimer(&timer, RESET_PULSE);
    svcCreateThread(&a, locker, address("a"), NULL, 0x30, 0), svcCreateThread(&b, locker, address("b"), NULL, 0x30, 0);
    svcSleepThread(1000000);
    out(svcGetThreadId(&id, b)), out(id), out(svcGetThreadId(&id, CUR_THREAD_HANDLE)), out(id), bits(svcGetThreadId(&id, one)), line();
    svcReleaseMutex(mutex);
    out(svcWaitSynchronizationN(&at, (Handle[]){a, b}, 2, true, -1)), out(at), out(svcWaitSynchronization(mutex, 0)), line();
    out(svcWaitSynchronization(semaphore, -1)), out(late(svcWaitSynchronization(semaphore, 0)));
    out(svcReleaseSemaphore(&n, semaphore, 2)), out(n), bits(svcReleaseSemaphore(&n, semaphore, 2));
    out(svcWaitSynchronization(semaphore, 0)), out(svcWaitSynchronization(semaphore, 0)), line();
    out(svcWaitSynchronization(one, 0)), out(late(svcWaitSynchronization(one, 3000000))), svcSignalEvent(sticky);
    out(svcWaitSynchronizationN(&at, (Handle[]){one, sticky}, 2, false, -1)), out(at), out(svcWaitSynchronization(sticky, 0));
    out(late(svcWaitSynchronizationN(&at, (Handle[]){one, sticky}, 2, true, 0)));
    svcDuplicateHandle(&copy, sticky), svcCloseHandle(sticky), svcClearEvent(copy);
    out(late(svcWaitSynchronization(copy, 0))), bits(svcWaitSynchronization(sticky, 0)), bits(svcWaitSynchronization(none, 0)), line();
    u32 begun = milliseconds();
    svcSetTimer(timer, 4000000, 3000000);
    for (int i = 0; i < 3; i++) svcWaitSynchronization(timer, -1), out(milliseconds() - begun);
    for (begun = milliseconds(); late(svcWaitSynchronization(one, 0));) /* time passes for who asks */
        if (milliseconds() > begun) break;
    threadCreate(wake, &value, 0, 0x30, 0, true);
    svcCreateAddressArbiter(&a);
    out(svcArbitrateAddress(a, address(&value), ARBITRATION_DECREMENT_AND_WAIT_IF_LESS_THAN_TIMEOUT, 1, -1)), out(value);
    out(late(svcArbitrateAddress(a, address(&value), ARBITRATION_WAIT_IF_LESS_THAN_TIMEOUT, 0, 1000))), line();
    svcExitProcess();
}

static void filter(void *none, NS_APPID from, void *state, size_t size) {
    (void)none, (void)from, (void)size;
    ((SwkbdState *)state)->callback_result = order++ ? SWKBD_CALLBACK_OK : SWKBD_CALLBACK_CONTINUE;
}
/* The keyboard, asked in frames 0 to 3 with two and three buttons; the error screen; Miis. */
static int applets(void) {
    u16 *text = memalign(4096, 4096);
    Handle memory;
    errorConf e = {.type = ERROR_TEXT, .Text = {'N', 'o', 0}, .returnCode = ERROR_UNKNOWN};
    MiiSelectorReturn mii = {0, {9}};
    svcCreateMemoryBlock(&memory, address(text), 4096, MEMPERM_READ, MEMPERM_READ);
    for (int i = 0; i < 4; i++) {
        SwkbdState k = {.num_buttons_m1 = 1 + i % 2, .max_text_len = 12, .initial_text_offset = i == 0 ? 0 : -1};
        memcpy(text, u"old", 8);
        aptSetMessageCallback(i == 2 ? filter : NULL, NULL);
        aptLaunchLibraryApplet(APPID_SOFTWARE_KEYBOARD, &k, sizeof k, memory);
        out(k.result), out(k.text_length);
        for (int c = 0; c < k.text_length; c++) printf("%c", text[c]);
        line(), blank();
    }
    aptLaunchLibraryApplet(APPID_ERROR, &e, sizeof e, 0), aptLaunchLibraryApplet(APPID_APPLETED, &mii, sizeof mii, 0);
    return out(e.returnCode), out(mii.no_mii_selected), out(mii.others[0]), line(), 0;
}

/* The system's files, on the card and in romfs. */
static int archives(void) {
    FS_Archive card = 0;
    FS_DirectoryEntry entries[4];
    FS_Path none = fsMakePath(PATH_EMPTY, ""), folder = fsMakePath(PATH_ASCII, "/new"), file = fsMakePath(PATH_UTF16, u"/new/x");
    Handle h;
    u32 n = 0;
    u64 size = 0;
    char text[8] = "";
    out(none.size), out(file.size), bits(FSUSER_OpenArchive(&card, ARCHIVE_SAVEDATA, none)), out(FSUSER_OpenArchive(&card, ARCHIVE_SDMC, none)), line();
    out(FSUSER_CreateDirectory(card, folder, 0)), bits(FSUSER_CreateDirectory(card, folder, 0));
    bits(FSUSER_OpenFile(&h, card, file, FS_OPEN_WRITE, 0)), out(FSUSER_CreateFile(card, file, 0, 3)), bits(FSUSER_CreateFile(card, file, 0, 3)), line();
    out(FSUSER_OpenFile(&h, card, file, FS_OPEN_READ | FS_OPEN_WRITE, 0));
    out(FSFILE_Write(h, &n, 2, "abc", 3, 0)), out(n), FSFILE_Write(h, NULL, 0, "", 0, 0), out(FSFILE_Read(h, &n, 3, text, 7)), out(n), out(FSFILE_GetSize(h, &size)), out((long long)size);
    out(FSFILE_Close(h)), bits(FSFILE_Close(h)), bits(FSFILE_Read(h, &n, 3, text, 7)), printf("%s\n", text);
    FSUSER_OpenDirectory(&h, card, fsMakePath(PATH_ASCII, "/"));
    out(FSDIR_Read(h, &n, 4, entries));
    for (u32 i = 0; i < n; i++) printf("%c ", entries[i].name[0]), bits((Result)entries[i].attributes), out((long long)entries[i].fileSize);
    out(FSUSER_DeleteDirectoryRecursively(card, folder));
    out(FSUSER_OpenFileDirectly(&h, ARCHIVE_ROMFS, none, fsMakePath(PATH_ASCII, "/a/b.txt"), FS_OPEN_READ, 0));
    bits(FSUSER_OpenFileDirectly(&h, ARCHIVE_ROMFS, none, fsMakePath(PATH_ASCII, "/../../k"), FS_OPEN_READ, 0)), line();
    return 0;
}

static void list(DIR *d) {
    const archive_dir_t *a = d->dirData->dirStruct;
    for (struct dirent *e; (e = readdir(d));) printf("%s%s ", e->d_name, a->entry_data[a->index].attributes & FS_ATTRIBUTE_DIRECTORY ? "/" : "");
    closedir(d);
}
/* Paths: without a device, from the current folder, out of the folder, on a mounted device, of no device. */
static int paths(void) {
    char here[64];
    struct stat s;
    fclose(fopen("/x", "w")), fclose(fopen("sdmc:/../../y", "w"));
    mkdir("m", 0777), fclose(fopen("m/z", "w"));
    list(opendir("sdmc:")), list(opendir("m/..")), list(opendir("m")), line();
    DIR *d = fdopendir(openat(AT_FDCWD, "m", O_RDONLY));
    out(openat(dirfd(d), "z", O_RDONLY) > 0), out(openat(AT_FDCWD, "z", O_RDONLY)), list(d), line();
    out(chdir("m")), printf("%s ", getcwd(here, sizeof here)), out(stat("z", &s));
    out(chdir("..")), printf("%s ", getcwd(here, sizeof here)), out(stat("../../../x", &s));
    out(chdir("romfs:/a")), printf("%s ", getcwd(here, sizeof here)), out(stat("/a/b.txt", &s)), out(chdir("b.txt")), line();
    out(archiveMount(ARCHIVE_SDMC, fsMakePath(PATH_EMPTY, ""), "card")), out(stat("card:/m/z", &s)), out(stat("nowhere:/x", &s)), line();
    return 0;
}

static int breaks(void) { return svcBreak(USERBREAK_PANIC), 0; }
static int much(void) { return malloc(80 << 20) == NULL; }
static int leak(void) { for (;;) memset(malloc(1 << 20), 1, 1 << 20); return 0; }
static int bad_list(void) { return gx(1, address(linear), 13, 0, 0, 0, 0, 0), 0; }
static int elsewhere(void) { return gx(3, 0x8000000, address(vram), 0, 0, 0, 0, 0), 0; }
static int early(void) { return blank(), 0; }
static int forever(void) { for (;;) blank(); return 0; }

/* Two fills of one command raise the event of the first. */
static int second_event(void) {
    gx(2, address(vram), 1, address(vram + 4096), address(vram + 8192), 2, address(vram + 12288), 0x201 << 16 | 0x201);
    gspWaitForEvent(GSPGPU_EVENT_PSC0, false);
    gspWaitForEvent(GSPGPU_EVENT_PSC1, false);
    return 0;
}

/* A transfer of raw bytes is a texture copy. */
static int raw(void) {
    for (int i = 0; i < 2; i++) {
        gx(3, address(vram), address(linear + 0x10000), 16 | 16 << 16, 8 | 16 << 16, 0x108, 0, 0);
        gx(4, address(vram), address(linear + 0x10000), 64, 0x10002, 0x10004, 8, 0);
    }
    return 0;
}

/* A program's constructors find the GPU. */
__attribute__((constructor)) static void construct(int argc, char **argv) {
    if (argc == 1 && strstr(argv[0], "/constructor")) GSPGPU_FlushDataCache((void *)(uintptr_t)OS_VRAM_VADDR, 16);
}
static int constructor(void) { return 0; }
static int addresses(void) { return fprintf(stderr, "%p\n", malloc(24)), 0; }

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
        TRY(answers),
        TRY(kernel),
        TRY(applets),
        TRY(archives),
        TRY(paths),
        TRY(constructor),
        TRY(addresses),
        TRY(raw),
        TRY(breaks),
        TRY(much),
        TRY(leak),
        TRY(bad_list),
        TRY(elsewhere),
        TRY(early),
        TRY(forever),
        TRY(second_event),
    };
    const char *name = strrchr(argv[argc - 1], '/') + 1;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].name, name) == 0) return all[i].run();
    return 2;
}
