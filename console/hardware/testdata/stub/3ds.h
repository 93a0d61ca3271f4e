// The part of libctru that the homebrew program uses, for a computer: buffers
// lie in two arrays, and what the GPU is asked for is written to files
// instead of done. Written for the test of this package.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef int32_t Result;
typedef enum { GFX_TOP, GFX_BOTTOM } gfxScreen_t;
typedef struct PrintConsole PrintConsole;

#define BIT(n) (1U << (n))
#define KEY_START BIT(3)
#define GX_FILL_TRIGGER BIT(0)
#define GX_FILL_16BIT_DEPTH 0x000
#define GX_FILL_24BIT_DEPTH 0x100
#define GX_FILL_32BIT_DEPTH 0x200
#define GX_TRANSFER_RAW_COPY(x) ((x) << 3)

void gfxInitDefault(void);
void gfxExit(void);
void gfxFlushBuffers(void);
void gfxSwapBuffers(void);
PrintConsole *consoleInit(gfxScreen_t screen, PrintConsole *console);
bool aptMainLoop(void);
void hidScanInput(void);
u32 hidKeysDown(void);

void *linearMemAlign(size_t size, size_t alignment);
void linearFree(void *mem);
void *vramMemAlign(size_t size, size_t alignment);
void vramFree(void *mem);
u32 osConvertVirtToPhys(const void *vaddr);

Result GSPGPU_FlushDataCache(const void *adr, u32 size);
Result GSPGPU_InvalidateDataCache(const void *adr, u32 size);
Result GX_MemoryFill(u32 *buf0a, u32 buf0v, u32 *buf0e, u16 control0, u32 *buf1a, u32 buf1v, u32 *buf1e, u16 control1);
Result GX_ProcessCommandList(u32 *buf0a, u32 buf0s, u8 flags);
Result GX_TextureCopy(u32 *inadr, u32 indim, u32 *outadr, u32 outdim, u32 size, u32 flags);
void gspWaitForPSC0(void);
void gspWaitForP3D(void);
void gspWaitForPPF(void);
void gspWaitForVBlank(void);
