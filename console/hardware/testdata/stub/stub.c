// A console that writes down what it is asked: calls.txt has a line a call,
// linearN.bin all linear memory at the moment of a command list.

#include <3ds.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINEAR_BASE 0x23400000u
#define VRAM_BASE 0x18000000u
#define ARENA (1u << 20)

static _Alignas(4096) u8 linear[ARENA], vram[ARENA];
static size_t linear_used, vram_used;
static int lists;
static FILE *calls;

static void *take(u8 *arena, size_t *used, size_t size, size_t alignment)
{
	size_t at = (*used + alignment - 1) / alignment * alignment;
	if (at + size > ARENA) {
		fprintf(stderr, "no room\n");
		exit(2);
	}
	*used = at + size;
	return arena + at;
}

void gfxInitDefault(void)
{
	calls = fopen("calls.txt", "w");
	if (!calls)
		exit(2);
}
void gfxExit(void) { fclose(calls); }
void gfxFlushBuffers(void) {}
void gfxSwapBuffers(void) {}
PrintConsole *consoleInit(gfxScreen_t screen, PrintConsole *console) { (void)screen; return console; }
bool aptMainLoop(void) { return true; }
void hidScanInput(void) {}
u32 hidKeysDown(void) { return KEY_START; }

void *linearMemAlign(size_t size, size_t alignment) { return take(linear, &linear_used, size, alignment); }
void *vramMemAlign(size_t size, size_t alignment) { return take(vram, &vram_used, size, alignment); }
void linearFree(void *mem) { (void)mem; linear_used = 0; }
void vramFree(void *mem) { (void)mem; vram_used = 0; }

u32 osConvertVirtToPhys(const void *p)
{
	const u8 *b = p;
	if (b >= linear && b <= linear + ARENA)
		return LINEAR_BASE + (u32)(b - linear);
	if (b >= vram && b <= vram + ARENA)
		return VRAM_BASE + (u32)(b - vram);
	fprintf(stderr, "not an address of the GPU\n");
	exit(2);
}

Result GSPGPU_FlushDataCache(const void *adr, u32 size) { osConvertVirtToPhys(adr); return size == 0; }
Result GSPGPU_InvalidateDataCache(const void *adr, u32 size) { osConvertVirtToPhys(adr); return size == 0; }

Result GX_MemoryFill(u32 *a, u32 v, u32 *e, u16 c, u32 *a1, u32 v1, u32 *e1, u16 c1)
{
	fprintf(calls, "fill %x %x %x %x\nfill %x %x %x %x\n", osConvertVirtToPhys(a), osConvertVirtToPhys(e), v, c,
		osConvertVirtToPhys(a1), osConvertVirtToPhys(e1), v1, c1);
	return 0;
}

static void put(const char *kind, const void *data, size_t size)
{
	char name[32];
	snprintf(name, sizeof name, "%s%d.bin", kind, lists);
	FILE *f = fopen(name, "wb");
	if (!f || fwrite(data, 1, size, f) != size || fclose(f))
		exit(2);
}

Result GX_ProcessCommandList(u32 *list, u32 size, u8 flags)
{
	fprintf(calls, "list %x %x %x\n", osConvertVirtToPhys(list), size, flags);
	put("linear", linear, linear_used);
	lists++;
	return 0;
}

Result GX_TextureCopy(u32 *in, u32 indim, u32 *out, u32 outdim, u32 size, u32 flags)
{
	fprintf(calls, "copy %x %x %x %x %x %x\n", osConvertVirtToPhys(in), indim, osConvertVirtToPhys(out), outdim, size, flags);
	memset(out, 0x5A, size);
	return 0;
}

void gspWaitForPSC0(void) {}
void gspWaitForP3D(void) {}
void gspWaitForPPF(void) {}
void gspWaitForVBlank(void) {}
