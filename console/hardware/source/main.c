// Draws the pictures of programs.c on a console and saves each colour buffer
// to sdmc:/pica200-console/NAME.bin. It needs libctru, not citro3d: the command
// lists are whole. docs/CONSOLE.md of pica200 says what to do with the results.

#include <3ds.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "programs.h"

#ifndef FOLDER
#define FOLDER "sdmc:/pica200-console"
#endif
#define HEADER_BYTES 64

// save writes a header of text and the colour buffer.
static int save(const program_t *p, const void *color)
{
	char path[128], header[HEADER_BYTES];
	memset(header, 0, sizeof header);
	snprintf(header, sizeof header, "PICA200 console 1\n%s\n%08lx\n", p->name, (unsigned long)p->hash);
	snprintf(path, sizeof path, FOLDER "/%s.bin", p->name);
	FILE *f = fopen(path, "wb");
	if (!f)
		return 0;
	size_t n = fwrite(header, 1, sizeof header, f) + fwrite(color, 1, p->color_bytes, f);
	return fclose(f) == 0 && n == sizeof header + p->color_bytes;
}

// run draws a program. The targets lie in video memory; the colour buffer is
// copied from there as it is.
static int run(const program_t *p)
{
	u32 list_bytes = p->list_words * 4, data_bytes = p->data_words * 4;
	u32 *list = linearMemAlign(list_bytes, 0x80);
	u32 *data = linearMemAlign(data_bytes ? data_bytes : 0x80, 0x80);
	void *result = linearMemAlign(p->color_bytes, 0x80);
	u8 *color = vramMemAlign(p->color_bytes, 0x80);
	u8 *depth = vramMemAlign(p->depth_bytes, 0x80);
	int ok = 0;
	if (list && data && result && color && depth) {
		const void *buffers[BUFFER_COUNT] = {data, color, depth};
		memcpy(list, p->list, list_bytes);
		memcpy(data, p->data, data_bytes);
		for (u32 i = 0; i < p->reloc_count; i++)
			list[p->relocs[i].word] += osConvertVirtToPhys(buffers[p->relocs[i].buffer]) >> 3;
		GSPGPU_FlushDataCache(list, list_bytes);
		GSPGPU_FlushDataCache(data, data_bytes);

		u16 width = p->fill == FILL_16 ? GX_FILL_16BIT_DEPTH : GX_FILL_32BIT_DEPTH;
		GX_MemoryFill((u32 *)color, p->clear, (u32 *)(color + p->color_bytes), GX_FILL_TRIGGER | width,
			(u32 *)depth, 0, (u32 *)(depth + p->depth_bytes), GX_FILL_TRIGGER | GX_FILL_32BIT_DEPTH);
		gspWaitForPSC0(); /* two fills of one command raise no PSC1 */

		GX_ProcessCommandList(list, list_bytes, 0);
		gspWaitForP3D();

		GX_TextureCopy((u32 *)color, 0, (u32 *)result, 0, p->color_bytes, GX_TRANSFER_RAW_COPY(1));
		gspWaitForPPF();
		GSPGPU_InvalidateDataCache(result, p->color_bytes);
		ok = save(p, result);
	}
	if (list) linearFree(list);
	if (data) linearFree(data);
	if (result) linearFree(result);
	if (color) vramFree(color);
	if (depth) vramFree(depth);
	return ok;
}

int main(void)
{
	gfxInitDefault();
	consoleInit(GFX_BOTTOM, NULL);
	mkdir(FOLDER, 0777);
	u32 done = 0;
	for (u32 i = 0; i < program_count; i++) {
		printf("%2lu/%lu %s\n", (unsigned long)i + 1, (unsigned long)program_count, programs[i].name);
		gfxFlushBuffers();
		gfxSwapBuffers();
		gspWaitForVBlank();
		if (run(&programs[i]))
			done++;
		else
			printf("   not saved\n");
	}
	printf("%lu of %lu pictures are in\n" FOLDER "\nSTART ends.\n", (unsigned long)done, (unsigned long)program_count);
	while (aptMainLoop()) {
		gspWaitForVBlank();
		hidScanInput();
		if (hidKeysDown() & KEY_START)
			break;
		gfxFlushBuffers();
		gfxSwapBuffers();
	}
	gfxExit();
	return 0;
}
