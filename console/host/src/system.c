/* system.c - the system's services for applications, keys, files and the rest. Part of
 * pica200, MIT License. */
#define _GNU_SOURCE
#include "host.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- Applications ------------------------------------------------------------- */

static aptHookCookie hooks = {&hooks, NULL, NULL};

/* Waits for the next frame unless one has ended since the last call, so that programs
 * that do not wait for the vertical blank end, too. */
bool aptMainLoop(void) {
    static long seen = -1;
    if (host_frame == seen) gspWaitForEvent(GSPGPU_EVENT_VBlank0, true);
    seen = host_frame;
    if (!host_closing) return true;
    static bool told;
    for (aptHookCookie *c = hooks.next; c != &hooks && !told; c = c->next) c->callback(APTHOOK_ONEXIT, c->param);
    told = true;
    return false;
}

void aptHook(aptHookCookie *c, aptHookFn call, void *param) {
    *c = (aptHookCookie){hooks.next, call, param};
    hooks.next = c;
}
void aptUnhook(aptHookCookie *c) {
    aptHookCookie *before = &hooks;
    while (before->next != &hooks && before->next != c) before = before->next;
    if (before->next == c) before->next = c->next;
}
Result aptInit(void) { return 0; }
void aptExit(void) {}
bool aptIsActive(void) { return true; }
bool aptShouldClose(void) { return host_closing; }
bool aptIsSleepAllowed(void) { return false; }
void aptSetSleepAllowed(bool allowed) { (void)allowed; }
bool aptIsHomeAllowed(void) { return false; }
void aptSetHomeAllowed(bool allowed) { (void)allowed; }
bool aptShouldJumpToHome(void) { return false; }
bool aptCheckHomePressRejected(void) { return false; }
Result APT_CheckNew3DS(bool *out) { return *out = false, 0; }
Result APT_SetAppCpuTimeLimit(u32 percent) { return (void)percent, 0; }
void osSetSpeedupEnable(bool enable) { (void)enable; }

/* --- Keys ---------------------------------------------------------------------- */

/* The input from a frame on. */
struct step { long frame; u32 keys; touchPosition touch; circlePosition circle; float slider; };
static struct step *steps, held, before;
static size_t step_count;
static u32 repeats;
static struct { u32 delay, interval, left; } repeat = {30, 15, 30};

static const struct { const char *name; u32 key; } names[] = {
    {"A", KEY_A}, {"B", KEY_B}, {"X", KEY_X}, {"Y", KEY_Y}, {"L", KEY_L}, {"R", KEY_R}, {"ZL", KEY_ZL}, {"ZR", KEY_ZR},
    {"START", KEY_START}, {"SELECT", KEY_SELECT}, {"UP", KEY_DUP}, {"DOWN", KEY_DDOWN}, {"LEFT", KEY_DLEFT},
    {"RIGHT", KEY_DRIGHT}, {"CUP", KEY_CPAD_UP}, {"CDOWN", KEY_CPAD_DOWN}, {"CLEFT", KEY_CPAD_LEFT},
    {"CRIGHT", KEY_CPAD_RIGHT}};

/* Adds one word of a line to a step; returns NULL if it is not a key. */
static const char *word(struct step *s, const char *w) {
    int x, y;
    if (strcmp(w, "-") == 0) return w;
    if (sscanf(w, "touch=%d,%d", &x, &y) == 2 && x >= 0 && x < 320 && y >= 0 && y < 240)
        return s->keys |= KEY_TOUCH, s->touch = (touchPosition){(u16)x, (u16)y}, w;
    if (sscanf(w, "circle=%d,%d", &x, &y) == 2 && abs(x) <= 156 && abs(y) <= 156) return s->circle = (circlePosition){(s16)x, (s16)y}, w;
    if (sscanf(w, "slider=%f", &s->slider) == 1 && s->slider >= 0 && s->slider <= 1) return w;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(w, names[i].name) == 0) return s->keys |= names[i].key, w;
    return NULL;
}

void host_keys_load(const char *path) {
    char line[256];
    int number = 0;
    FILE *f = fopen(path, "r");
    if (f == NULL) host_stop(NULL, "%s cannot be read", path);
    float slider = host_option.slider;
    while (fgets(line, sizeof line, f)) {
        number++;
        char *comment = strchr(line, '#'), *rest = line;
        if (comment) *comment = 0;
        char *w = strtok_r(line, " \t\r\n", &rest), *end;
        if (w == NULL) continue;
        struct step s = {.frame = strtol(w, &end, 10), .slider = slider};
        if (*end || s.frame < 0 || (step_count && s.frame <= steps[step_count - 1].frame))
            host_stop(NULL, "%s, line %d: \"%s\" is not a frame after that of the line before", path, number, w);
        while ((w = strtok_r(NULL, " \t\r\n", &rest)))
            if (word(&s, w) == NULL)
                host_stop(NULL, "%s, line %d: \"%s\" is not a key (A to ZR, START, UP, CUP, touch=X,Y, circle=X,Y, slider=S, - for none)", path, number, w);
        slider = s.slider;
        steps = realloc(steps, (step_count + 1) * sizeof *steps);
        if (steps == NULL) host_stop(NULL, "no memory for %s", path);
        steps[step_count++] = s;
    }
    fclose(f);
}

float host_slider(void) {
    float slider = host_option.slider;
    for (size_t i = 0; i < step_count && steps[i].frame <= host_frame; i++) slider = steps[i].slider;
    return slider;
}

static void stick_keys(struct step *s) {
    if (s->circle.dx > 40) s->keys |= KEY_CPAD_RIGHT;
    if (s->circle.dx < -40) s->keys |= KEY_CPAD_LEFT;
    if (s->circle.dy > 40) s->keys |= KEY_CPAD_UP;
    if (s->circle.dy < -40) s->keys |= KEY_CPAD_DOWN;
}

void hidScanInput(void) {
    before = held, held = (struct step){0};
    if (host_option.window && step_count == 0) host_window_keys(&held.keys, &held.touch, &held.circle);
    for (size_t i = 0; i < step_count && steps[i].frame <= host_frame; i++) held = steps[i];
    stick_keys(&held);
    repeats = held.keys & ~before.keys;
    if (held.keys != before.keys) repeat.left = repeat.delay;
    else if (held.keys && --repeat.left == 0) repeats = held.keys, repeat.left = repeat.interval;
}
void hidSetRepeatParameters(u32 delay, u32 interval) { repeat.delay = delay, repeat.interval = interval; }
u32 hidKeysHeld(void) { return held.keys; }
u32 hidKeysDown(void) { return held.keys & ~before.keys; }
u32 hidKeysUp(void) { return before.keys & ~held.keys; }
u32 hidKeysDownRepeat(void) { return repeats; }
void hidTouchRead(touchPosition *to) { *to = held.touch; }
void hidCircleRead(circlePosition *to) { *to = held.circle; }
Result hidInit(void) { return 0; }
void hidExit(void) {}
Result irrstInit(void) { return 0; } /* the second stick of a New 3DS, never moved */
void irrstExit(void) {}
void irrstScanInput(void) {}
u32 irrstKeysHeld(void) { return 0; }
void irrstCstickRead(circlePosition *to) { *to = (circlePosition){0, 0}; }

/* --- Files: romfs:/ and sdmc:/ are folders (host.mk wraps the calls) --------------- */

static const char *real_path(const char *path, char *to, size_t room) {
    static const struct { const char *device; const char **folder; } devices[] = {
        {"romfs:", &host_option.romfs}, {"sdmc:", &host_option.sdmc}};
    for (int i = 0; path && i < 2; i++) {
        size_t n = strlen(devices[i].device);
        if (strncmp(path, devices[i].device, n) != 0) continue;
        if (*devices[i].folder == NULL) host_stop(NULL, "%s: no folder was given for %s (--%.*s FOLDER)", path, devices[i].device, (int)n - 1, devices[i].device);
        snprintf(to, room, "%s/%s", *devices[i].folder, path + n + strspn(path + n, "/"));
        return to;
    }
    return path;
}

#define REAL(path) real_path(path, (char[4096]){0}, 4096)
FILE *__real_fopen(const char *, const char *), *__real_fopen64(const char *, const char *);
FILE *__wrap_fopen(const char *path, const char *mode) { return __real_fopen(REAL(path), mode); }
FILE *__wrap_fopen64(const char *path, const char *mode) { return __real_fopen64(REAL(path), mode); }
DIR *__real_opendir(const char *);
DIR *__wrap_opendir(const char *path) { return __real_opendir(REAL(path)); }
int __real_open(const char *, int, ...), __real_stat(const char *, struct stat *), __real_access(const char *, int);
int __wrap_open(const char *path, int flags, ...) {
    va_list args;
    va_start(args, flags);
    unsigned mode = flags & O_CREAT ? va_arg(args, unsigned) : 0;
    va_end(args);
    return __real_open(REAL(path), flags, mode);
}
int __wrap_stat(const char *path, struct stat *s) { return __real_stat(REAL(path), s); }
int __wrap_access(const char *path, int mode) { return __real_access(REAL(path), mode); }
int __real_mkdir(const char *, mode_t), __real_rmdir(const char *), __real_remove(const char *), __real_unlink(const char *), __real_rename(const char *, const char *);
int __wrap_mkdir(const char *path, mode_t mode) { return __real_mkdir(REAL(path), mode); }
int __wrap_rmdir(const char *path) { return __real_rmdir(REAL(path)); }
int __wrap_remove(const char *path) { return __real_remove(REAL(path)); }
int __wrap_unlink(const char *path) { return __real_unlink(REAL(path)); }
int __wrap_rename(const char *from, const char *to) { return __real_rename(REAL(from), REAL(to)); }

Result romfsMountSelf(const char *name) {
    struct stat s;
    if (strcmp(name, "romfs") == 0 && host_option.romfs && __real_stat(host_option.romfs, &s) == 0) return 0;
    return (Result)0xD8C3FBFB; /* no such archive */
}
Result romfsMountFromTitle(u64 title, FS_MediaType medium, const char *name) {
    return (void)title, (void)medium, (void)name, (Result)0xD8C3FBFB; /* no other title is installed */
}
Result romfsUnmount(const char *name) { return (void)name, 0; }

/* --- The rest ---------------------------------------------------------------------- */

Result cfguInit(void) { return 0; }
void cfguExit(void) {}
Result CFGU_GetSystemLanguage(u8 *out) { return *out = 1, 0; } /* English */
Result CFGU_SecureInfoGetRegion(u8 *out) { return *out = 1, 0; } /* USA */
Result CFGU_GetSystemModel(u8 *out) { return *out = 0, 0; }
Result srvInit(void) { return 0; }
void srvExit(void) {}
Result svcCloseHandle(Handle handle) { return (void)handle, 0; }
Result svcOutputDebugString(const char *text, s32 length) { return fprintf(stderr, "%.*s", (int)length, text), 0; }
void svcBreak(UserBreakType why) {
    static const char *const words[] = {"panic", "assertion", "user"};
    host_stop(HOST_CALLER, "svcBreak (%s) was called", (unsigned)why < 3 ? words[why] : "other");
}
