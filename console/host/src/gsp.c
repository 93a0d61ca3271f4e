/* gsp.c - the system's GPU service: commands, events and the screens' buffers. A command
 * is executed at once; its interrupt is delivered when the program waits next, as if
 * another thread had executed it. Part of pica200, MIT License. */
#include "host.h"

#include <stdio.h>
#include <string.h>

static struct {
    ThreadFunc call;
    void *data;
    bool once, happened;
} events[GSPGPU_EVENT_MAX];
static struct {
    GSPGPU_FramebufferInfo info;
    bool pending, shown;
} screens[2];
static GSPGPU_Event raised[256]; /* interrupts not delivered yet */
static unsigned raised_count, queued;
static int last = -1;

static void raise_event(GSPGPU_Event id) {
    if (raised_count == sizeof raised / sizeof *raised) host_stop(NULL, "more than 256 commands for the GPU without a wait");
    raised[raised_count++] = id;
}

/* Defined by libctru's gxqueue.c if that is linked. */
__attribute__((weak)) void gxCmdQueueInterrupt(GSPGPU_Event id) { (void)id; }

void host_interrupts(void) {
    static bool busy;
    if (busy) return;
    busy = true;
    for (unsigned i = 0; i < raised_count; i++) {
        GSPGPU_Event id = raised[i];
        gxCmdQueueInterrupt(id);
        ThreadFunc call = events[id].call;
        if (events[id].once) events[id].call = NULL;
        if (call) call(events[id].data);
        events[id].happened = true;
        last = id;
    }
    raised_count = queued = 0;
    busy = false;
}

static bool happened(void *id) { return events[(uintptr_t)id].happened; }
static bool any(void *none) { return (void)none, last >= 0; }

void gspWaitForEvent(GSPGPU_Event id, bool next) {
    if ((unsigned)id >= GSPGPU_EVENT_MAX) return;
    if (next) events[id].happened = false;
    static const char *const names[GSPGPU_EVENT_MAX] = {"PSC0", "PSC1", "VBlank0", "VBlank1", "PPF", "P3D", "DMA"};
    if (!host_wait(happened, (void *)(uintptr_t)id, 2000000000)) {
        fprintf(stderr, "%s: warning: the program has waited two seconds for event %s, which no command raised; on a console it hangs\n",
                host_option.name, names[id]);
        host_wait(happened, (void *)(uintptr_t)id, -1);
    }
    if (!next) events[id].happened = false;
}

GSPGPU_Event gspWaitForAnyEvent(void) {
    host_wait(any, NULL, -1);
    GSPGPU_Event id = (GSPGPU_Event)last;
    last = -1;
    return id;
}

void gspSetEventCallback(GSPGPU_Event id, ThreadFunc call, void *data, bool once) {
    if ((unsigned)id >= GSPGPU_EVENT_MAX) return;
    events[id].call = call, events[id].data = data, events[id].once = once;
}

/* Returns the physical address of an argument of a command. */
static u32 place(u32 address, const char *call, const char *what) {
    u32 physical = osConvertVirtToPhys((const void *)(uintptr_t)address);
    if (physical == 0) host_stop(NULL, "%s: the %s at 0x%08X is neither linear memory nor VRAM", call, what, address);
    return physical;
}

static void done(int failed, const char *call) {
    if (failed) host_stop(NULL, "%s: %s", call, pica200_error(host_gpu));
}

/* Before the GPU reads: reports what the CPU wrote to linear memory without a flush, too. The console's cache holds 16 KiB only. */
static void written(u32 input) {
    if (input >= OS_FCRAM_PADDR) host_changed(OS_FCRAM_PADDR, HOST_LINEAR);
}

/* Returns whether there is a fill. */
static bool fill(u32 start, u32 value, u32 end, u32 control) {
    if (start == 0 || !(control & 1)) return false;
    u32 from = place(start, "GX_MemoryFill", "start"), to = place(end - 1, "GX_MemoryFill", "end") + 1;
    done(pica200_fill(host_gpu, from, to, value, control), "GX_MemoryFill");
    host_drawn(from, to - from);
    return true;
}

Result gspSubmitGxCommand(const u32 c[8]) {
    static u32 copied[3]; /* what the registers of texture copies hold: size and lines */
    u32 from, to;
    switch (c[0] & 0xFF) {
    case 0:
        memmove((void *)(uintptr_t)c[2], (const void *)(uintptr_t)c[1], c[3]);
        if ((to = osConvertVirtToPhys((const void *)(uintptr_t)c[2])) != 0) host_changed(to, c[3]);
        raise_event(GSPGPU_EVENT_DMA);
        break;
    case 1:
        from = place(c[1], "GX_ProcessCommandList", "list");
        host_changed(from, c[2]);
        written(OS_FCRAM_PADDR); /* vertices may be anywhere */
        done(pica200_list(host_gpu, from, c[2], c[3] & PICA200_GAS), "GX_ProcessCommandList");
        raise_event(GSPGPU_EVENT_P3D);
        break;
    case 2:
        /* Two fills of one command raise the event of the first only (azahar 1218; libctru's queue waits for one). */
        if (fill(c[1], c[2], c[3], c[7] & 0xFFFF)) {
            fill(c[4], c[5], c[6], c[7] >> 16);
            raise_event(GSPGPU_EVENT_PSC0);
        } else if (fill(c[4], c[5], c[6], c[7] >> 16))
            raise_event(GSPGPU_EVENT_PSC1);
        break;
    case 3:
        if (c[5] & 8) { /* GX_TRANSFER_RAW_COPY */
            if (!copied[0]) fprintf(stderr, "%s: warning: GX_DisplayTransfer with RAW_COPY copies what the last GX_TextureCopy said, and there was none; a console may hang\n", host_option.name);
            return gspSubmitGxCommand((const u32[8]){4, c[1], c[2], copied[0] ? copied[0] : (c[4] & 0xFFFF) * (c[4] >> 16) * 4, copied[1], copied[2], c[5], 0});
        }
        from = place(c[1], "GX_DisplayTransfer", "input"), to = place(c[2], "GX_DisplayTransfer", "output");
        written(from);
        done(pica200_transfer(host_gpu, from, to, c[3], c[4], c[5]), "GX_DisplayTransfer");
        host_drawn(to, (c[4] & 0xFFFF) * (c[4] >> 16) * 4); /* an upper bound */
        raise_event(GSPGPU_EVENT_PPF);
        break;
    case 4: {
        u32 width = (c[5] & 0xFFFF) * 16, gap = (c[5] >> 16) * 16;
        from = place(c[1], "GX_TextureCopy", "input"), to = place(c[2], "GX_TextureCopy", "output");
        written(from);
        copied[0] = c[3], copied[1] = c[4], copied[2] = c[5];
        done(pica200_copy(host_gpu, from, to, c[3], c[4], c[5], c[6]), "GX_TextureCopy");
        host_drawn(to, width && gap ? (c[3] / width + 1) * (width + gap) : c[3]);
        raise_event(GSPGPU_EVENT_PPF);
        break;
    }
    case 5:
        for (int i = 1; i < 7; i += 2)
            if (c[i + 1]) GSPGPU_FlushDataCache((const void *)(uintptr_t)c[i], c[i + 1]);
        break;
    default:
        host_stop(NULL, "gspSubmitGxCommand: there is no command %u", c[0] & 0xFF);
    }
    return 0;
}

bool gspPresentBuffer(unsigned screen, unsigned swap, const void *a, const void *b, u32 stride, u32 mode) {
    if (screen > 1) return false;
    bool was = screens[screen].pending;
    screens[screen].info = (GSPGPU_FramebufferInfo){swap, (u32 *)a, (u32 *)b, stride, mode, swap, 0};
    screens[screen].pending = screens[screen].shown = true;
    return was;
}

Result GSPGPU_SetBufferSwap(u32 screen, const GSPGPU_FramebufferInfo *info) {
    return gspPresentBuffer(screen, info->active_framebuf, info->framebuf0_vaddr, info->framebuf1_vaddr,
                            info->framebuf_widthbytesize, info->format), 0;
}

bool gspIsPresentPending(unsigned screen) { return screen < 2 && screens[screen].pending; }

/* Shows the program's buffers at the vertical blank. Pixels that the CPU wrote count as
 * flushed, since the console's cache writes them back sooner or later, too. */
void host_vblank(void) {
    for (int i = 0; i < 2; i++) {
        const GSPGPU_FramebufferInfo *s = &screens[i].info;
        u32 a = osConvertVirtToPhys(s->framebuf0_vaddr), b = osConvertVirtToPhys(s->framebuf1_vaddr);
        u32 lines = i ? 320 : s->format & 0x60 ? 400 : 800, k = s->active_framebuf & 1;
        if (!screens[i].shown) continue;
        if (a == 0 || b == 0) host_stop(NULL, "gspPresentBuffer: the buffer at %p is neither linear memory nor VRAM", (void *)s->framebuf0_vaddr);
        if (screens[i].pending) {
            static u32 at[2][4]; /* the registers of both buffers */
            at[i][k] = a, at[i][2 + k] = b;
            done(pica200_show(host_gpu, i, (int)k, at[i][0], at[i][1], at[i][2], at[i][3], s->format,
                              s->framebuf_widthbytesize), "gspPresentBuffer");
        }
        screens[i].pending = false;
        host_changed(a, lines * s->framebuf_widthbytesize);
        if (b != a) host_changed(b, lines * s->framebuf_widthbytesize);
    }
    host_frame_ends((screens[0].info.format & 0x20) != 0);
    if (queued == 0) { /* unless the last one was not delivered yet */
        raise_event(GSPGPU_EVENT_VBlank0);
        raise_event(GSPGPU_EVENT_VBlank1);
        queued = 1;
    }
}

Result GSPGPU_WriteHWRegs(u32 at, const u32 *data, u8 size) {
    for (u32 i = 0; i < size; i += 4) done(pica200_write(host_gpu, 0x10000000 + at + i, 4, data[i / 4]), "GSPGPU_WriteHWRegs");
    return 0;
}

Result GSPGPU_ReadHWRegs(u32 at, u32 *data, u8 size) {
    for (u32 i = 0; i < size; i += 4) done(pica200_read(host_gpu, 0x10000000 + at + i, &data[i / 4]), "GSPGPU_ReadHWRegs");
    return 0;
}

Result GSPGPU_WriteHWRegsWithMask(u32 at, const u32 *data, u8 size, const u32 *mask, u8 masks) {
    u32 value;
    for (u32 i = 0; i < size && i < masks; i += 4) {
        GSPGPU_ReadHWRegs(at + i, &value, 4);
        value = (value & ~mask[i / 4]) | (data[i / 4] & mask[i / 4]);
        GSPGPU_WriteHWRegs(at + i, &value, 4);
    }
    return 0;
}
