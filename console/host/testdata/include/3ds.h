/* 3ds.h - declares what host/ defines or uses of the system's interface, so that tests
 * need nobody's library. Programs are built with libctru's. Part of pica200, MIT
 * License. */
#ifndef TEST_3DS_H
#define TEST_3DS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/lock.h>
#include <sys/types.h>

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
typedef enum { EVENT_PAD0 } HID_Event;
Result romfsMountSelf(const char *);

/* files of archives, UTF-16 */
typedef enum { ARCHIVE_ROMFS = 3, ARCHIVE_SAVEDATA = 4, ARCHIVE_SDMC = 9, ARCHIVE_SDMC_WRITE_ONLY = 10 } FS_ArchiveID;
typedef enum { PATH_EMPTY = 1, PATH_BINARY, PATH_ASCII, PATH_UTF16 } FS_PathType;
typedef struct { FS_PathType type; u32 size; const void *data; } FS_Path;
typedef u64 FS_Archive;
typedef struct { u16 name[0x106]; char shortName[0x0A], shortExt[4]; u8 valid, reserved; u32 attributes; u64 fileSize; } FS_DirectoryEntry;
typedef struct { u32 magic; Handle fd; ssize_t index; size_t size; FS_DirectoryEntry entry_data[32]; } archive_dir_t;
typedef struct { u32 sectorSize, clusterSize, totalClusters, freeClusters; } FS_ArchiveResource;
enum { FS_OPEN_READ = 1, FS_OPEN_WRITE = 2, FS_OPEN_CREATE = 4, FS_ATTRIBUTE_DIRECTORY = 1, FS_ATTRIBUTE_ARCHIVE = 1 << 16 };
FS_Path fsMakePath(FS_PathType, const void *);
Result archiveMount(FS_ArchiveID, FS_Path, const char *);
Result FSUSER_OpenArchive(FS_Archive *, FS_ArchiveID, FS_Path);
Result FSUSER_OpenFile(Handle *, FS_Archive, FS_Path, u32, u32);
Result FSUSER_OpenFileDirectly(Handle *, FS_ArchiveID, FS_Path, FS_Path, u32, u32);
Result FSUSER_CreateFile(FS_Archive, FS_Path, u32, u64);
Result FSUSER_CreateDirectory(FS_Archive, FS_Path, u32);
Result FSUSER_DeleteDirectoryRecursively(FS_Archive, FS_Path);
Result FSUSER_OpenDirectory(Handle *, FS_Archive, FS_Path);
Result FSFILE_Read(Handle, u32 *, u64, void *, u32);
Result FSFILE_Write(Handle, u32 *, u64, const void *, u32, u32);
Result FSFILE_GetSize(Handle, u64 *);
Result FSFILE_Close(Handle);
Result FSDIR_Read(Handle, u32 *, u32, FS_DirectoryEntry *);
ssize_t utf8_to_utf16(uint16_t *, const uint8_t *, size_t);
ssize_t utf16_to_utf8(uint8_t *, const uint16_t *, size_t);

/* applets */
typedef enum { APPID_SOFTWARE_KEYBOARD = 0x401, APPID_APPLETED, APPID_ERROR = 0x406 } NS_APPID;
typedef void (*aptMessageCb)(void *, NS_APPID, void *, size_t);
typedef enum { SWKBD_INVALID_INPUT = -2, SWKBD_D0_CLICK = 0, SWKBD_D1_CLICK0, SWKBD_D1_CLICK1, SWKBD_D2_CLICK0, SWKBD_D2_CLICK1, SWKBD_D2_CLICK2, SWKBD_BANNED_INPUT = 30 } SwkbdResult;
typedef enum { SWKBD_CALLBACK_OK, SWKBD_CALLBACK_CLOSE, SWKBD_CALLBACK_CONTINUE } SwkbdCallbackResult;
typedef struct { int num_buttons_m1; u16 max_text_len; int initial_text_offset; SwkbdResult result; int text_offset; u16 text_length; int callback_result; } SwkbdState;
typedef enum { ERROR_CODE, ERROR_TEXT } errorType;
typedef enum { ERROR_UNKNOWN = -1, ERROR_SUCCESS = 1 } errorReturnCode;
typedef struct { errorType type; int errorCode; u16 Text[1900]; errorReturnCode returnCode; } errorConf;
typedef struct { u32 no_mii_selected, others[32]; } MiiSelectorReturn;
void aptSetMessageCallback(aptMessageCb, void *);
void aptLaunchLibraryApplet(NS_APPID, void *, size_t, Handle);

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
Handle threadGetHandle(Thread);
typedef enum { ARBITRATION_SIGNAL, ARBITRATION_WAIT_IF_LESS_THAN, ARBITRATION_DECREMENT_AND_WAIT_IF_LESS_THAN, ARBITRATION_WAIT_IF_LESS_THAN_TIMEOUT, ARBITRATION_DECREMENT_AND_WAIT_IF_LESS_THAN_TIMEOUT } ArbitrationType;
typedef enum { MEMPERM_READ = 1 } MemPerm;
#define CUR_THREAD_HANDLE 0xFFFF8000
Result svcCreateMutex(Handle *, bool), svcReleaseMutex(Handle), svcCreateSemaphore(Handle *, s32, s32), svcReleaseSemaphore(s32 *, Handle, s32);
Result svcCreateEvent(Handle *, ResetType), svcSignalEvent(Handle), svcClearEvent(Handle), svcCreateTimer(Handle *, ResetType), svcSetTimer(Handle, s64, s64);
Result svcWaitSynchronization(Handle, s64), svcWaitSynchronizationN(s32 *, const Handle *, s32, bool, s64);
Result svcCloseHandle(Handle), svcDuplicateHandle(Handle *, Handle), svcCreateMemoryBlock(Handle *, u32, u32, MemPerm, MemPerm);
Result svcCreateThread(Handle *, ThreadFunc, u32, u32 *, s32, s32), svcGetThreadId(u32 *, Handle);
void svcExitThread(void) __attribute__((noreturn)), svcExitProcess(void) __attribute__((noreturn));
Result svcCreateAddressArbiter(Handle *), svcArbitrateAddress(Handle, u32, ArbitrationType, s32, s64);
void LightLock_Init(LightLock *), LightLock_Lock(LightLock *), LightLock_Unlock(LightLock *);
void CondVar_Init(CondVar *), CondVar_Wait(CondVar *, LightLock *), CondVar_WakeUp(CondVar *, s32);
void LightEvent_Init(LightEvent *, ResetType), LightEvent_Signal(LightEvent *), LightEvent_Wait(LightEvent *);
int LightEvent_WaitTimeout(LightEvent *, s64);
/* no file of the host has these */
void notThereEither(void);
Result ndspInit(void);
bool ndspChnIsPlaying(int);
Result PTMU_GetBatteryLevel(u8 *out);
Result PTMU_GetStepHistory(u32 hours,
                           u16 *steps);
Result APT_GetAppletInfo(NS_APPID app, u64 *program, u8 *medium, bool *registered, bool *loaded, u32 *attributes);
Result FSUSER_GetSdmcArchiveResource(FS_ArchiveResource *out);
Handle *ptmuGetSessionHandle(void);
Result socInit(u32 *memory, u32 size);
extern u32 csndChannels;
#endif
