/* 3ds.h - declares what host/ defines or uses of the system's interface, so that tests
 * need nobody's library. Programs are built with libctru's. Part of pica200, MIT
 * License. */
#ifndef TEST_3DS_H
#define TEST_3DS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/lock.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef u32 Handle;
typedef s32 Result;
typedef void (*ThreadFunc)(void *);

/* memory and the system's pages */
#define OS_FCRAM_VADDR 0x30000000
#define OS_FCRAM_PADDR 0x20000000
#define OS_OLD_FCRAM_VADDR 0x14000000
#define OS_VRAM_VADDR 0x1F000000
#define OS_VRAM_PADDR 0x18000000
#define OS_KERNELCFG_VADDR 0x1FF80000
#define OS_SHAREDCFG_VADDR 0x1FF81000
#define SYSTEM_VERSION(a, b, c) ((a) << 24 | (b) << 16 | (c) << 8)
#define SYSCLOCK_ARM11 268111856u
#define CPU_TICKS_PER_MSEC (SYSCLOCK_ARM11 / 1000.0)
typedef struct { u32 kernel_ver, update_flag; u64 ns_tid; u32 kernel_syscore_ver; u8 other[44]; u32 memregion_sz[3]; u8 more[20]; u32 firm_ver; } osKernelConfig_s;
typedef struct { u8 other[0x80]; volatile float slider_3d; } osSharedConfig_s;
typedef struct { u64 elapsed, reference; } TickCounter;
extern u32 __ctru_linear_heap, __ctru_linear_heap_size;
u32 osConvertVirtToPhys(const void *);
void *linearAlloc(size_t), *linearMemAlign(size_t, size_t), *linearRealloc(void *, size_t);
u64 osGetTime(void);
u64 svcGetSystemTick(void);
void svcSleepThread(s64);
typedef enum { USERBREAK_PANIC, USERBREAK_ASSERT, USERBREAK_USER } UserBreakType;
void svcBreak(UserBreakType);

/* the GPU and the screens */
typedef enum { GSPGPU_EVENT_PSC0, GSPGPU_EVENT_PSC1, GSPGPU_EVENT_VBlank0, GSPGPU_EVENT_VBlank1, GSPGPU_EVENT_PPF, GSPGPU_EVENT_P3D, GSPGPU_EVENT_DMA, GSPGPU_EVENT_MAX } GSPGPU_Event;
typedef struct { u32 active_framebuf, *framebuf0_vaddr, *framebuf1_vaddr, framebuf_widthbytesize, format, framebuf_dispselect, unk; } GSPGPU_FramebufferInfo;
Result gspSubmitGxCommand(const u32[8]);
Result GSPGPU_FlushDataCache(const void *, u32);
Result GSPGPU_WriteHWRegs(u32, const u32 *, u8);
Result GSPGPU_ReadHWRegs(u32, u32 *, u8);
void gspSetEventCallback(GSPGPU_Event, ThreadFunc, void *, bool);
void gspWaitForEvent(GSPGPU_Event, bool);
GSPGPU_Event gspWaitForAnyEvent(void);
bool gspPresentBuffer(unsigned, unsigned, const void *, const void *, u32, u32);
bool gspIsPresentPending(unsigned);

/* applications, keys */
typedef enum { APTHOOK_ONSUSPEND, APTHOOK_ONRESTORE, APTHOOK_ONSLEEP, APTHOOK_ONWAKEUP, APTHOOK_ONEXIT } APT_HookType;
typedef void (*aptHookFn)(APT_HookType, void *);
typedef struct tag_aptHookCookie { struct tag_aptHookCookie *next; aptHookFn callback; void *param; } aptHookCookie;
void aptHook(aptHookCookie *, aptHookFn, void *);
void aptUnhook(aptHookCookie *);
bool aptMainLoop(void);
enum { KEY_A = 1, KEY_B = 2, KEY_SELECT = 4, KEY_START = 8, KEY_DRIGHT = 16, KEY_DLEFT = 32, KEY_DUP = 64, KEY_DDOWN = 128, KEY_R = 256, KEY_L = 512, KEY_X = 1024, KEY_Y = 2048, KEY_ZL = 1 << 14, KEY_ZR = 1 << 15, KEY_TOUCH = 1 << 20, KEY_CPAD_RIGHT = 1 << 28, KEY_CPAD_LEFT = 1 << 29, KEY_CPAD_UP = 1 << 30 };
#define KEY_CPAD_DOWN (1u << 31)
typedef struct { u16 px, py; } touchPosition;
typedef struct { s16 dx, dy; } circlePosition;
void hidScanInput(void);
u32 hidKeysDown(void), hidKeysHeld(void), hidKeysUp(void), hidKeysDownRepeat(void);
void hidTouchRead(touchPosition *);
void hidCircleRead(circlePosition *);
Result romfsMountSelf(const char *);
typedef enum { MEDIATYPE_NAND } FS_MediaType;

/* fonts */
typedef struct { s8 left; u8 glyphWidth, charWidth; } charWidthInfo_s;
typedef struct { u8 cellWidth, cellHeight, baselinePos, maxCharWidth; u32 sheetSize; u16 nSheets, sheetFmt, nRows, nLines, sheetWidth, sheetHeight; u8 *sheetData; } TGLP_s;
typedef struct CWDH { u16 startIndex, endIndex; struct CWDH *next; charWidthInfo_s widths[]; } CWDH_s;
enum { CMAP_TYPE_DIRECT, CMAP_TYPE_TABLE, CMAP_TYPE_SCAN };
typedef struct CMAP { u16 codeBegin, codeEnd, mappingMethod, reserved; struct CMAP *next; u16 indexOffset; } CMAP_s;
typedef struct { u32 signature, sectionSize; u8 fontType, lineFeed; u16 alterCharIndex; charWidthInfo_s defaultWidth; u8 encoding; TGLP_s *tglp; CWDH_s *cwdh; CMAP_s *cmap; u8 height, width, ascent, padding; } FINF_s;
typedef struct { u32 signature; u16 endianness, headerSize; u32 version, fileSize, nBlocks; FINF_s finf; } CFNT_s;
extern CFNT_s *g_sharedFont;
Result fontEnsureMapped(void);

/* threads and locks */
typedef struct Thread_tag *Thread;
typedef _LOCK_T LightLock;
typedef _LOCK_RECURSIVE_T RecursiveLock;
typedef s32 CondVar;
typedef struct { s32 state; LightLock lock; } LightEvent;
typedef struct { s32 current_count; s16 num_threads_acq, max_count; } LightSemaphore;
typedef enum { RESET_ONESHOT, RESET_STICKY, RESET_PULSE } ResetType;
Thread threadCreate(ThreadFunc, void *, size_t, int, int, bool);
Result threadJoin(Thread, u64);
void threadFree(Thread);
void threadExit(int) __attribute__((noreturn));
void LightLock_Init(LightLock *), LightLock_Lock(LightLock *), LightLock_Unlock(LightLock *);
void CondVar_Init(CondVar *), CondVar_Wait(CondVar *, LightLock *), CondVar_WakeUp(CondVar *, s32);
void LightEvent_Init(LightEvent *, ResetType), LightEvent_Signal(LightEvent *), LightEvent_Wait(LightEvent *);
int LightEvent_WaitTimeout(LightEvent *, s64);
/* no file of the host has these */
void notThereEither(void);
Result ndspInit(void);
bool ndspChnIsPlaying(int);
#endif
