/* window.c - shows both screens in a window and reads keys (--window), with the system's
 * SDL2, which is loaded only for this option. Part of pica200, MIT License. */
#define _GNU_SOURCE
#include "host.h"

#include <dlfcn.h>
#include <string.h>

/* Constants and functions of SDL, which stay the same in all of version 2. */
enum { INIT_VIDEO = 0x20, CENTERED = 0x2FFF0000, RESIZABLE = 0x20, STREAMING = 1, ABGR8888 = 0x16762004, QUIT = 0x100, LEFT_BUTTON = 1 };
typedef struct { int x, y, w, h; } rect;
static struct {
    int (*Init)(uint32_t);
    const char *(*GetError)(void);
    void *(*CreateWindow)(const char *, int, int, int, int, uint32_t);
    void *(*CreateRenderer)(void *, int, uint32_t);
    int (*RenderSetLogicalSize)(void *, int, int);
    void *(*CreateTexture)(void *, uint32_t, int, int, int);
    int (*UpdateTexture)(void *, const rect *, const void *, int);
    int (*RenderClear)(void *);
    int (*RenderCopy)(void *, void *, const rect *, const rect *);
    void (*RenderPresent)(void *);
    int (*PollEvent)(void *);
    const uint8_t *(*GetKeyboardState)(int *);
    uint32_t (*GetMouseState)(int *, int *);
    void (*RenderWindowToLogical)(void *, int, int, float *, float *);
    uint32_t (*GetTicks)(void);
    void (*Delay)(uint32_t);
} sdl;
static const char *const names[] = {"Init", "GetError", "CreateWindow", "CreateRenderer", "RenderSetLogicalSize", "CreateTexture", "UpdateTexture",
    "RenderClear", "RenderCopy", "RenderPresent", "PollEvent", "GetKeyboardState", "GetMouseState", "RenderWindowToLogical", "GetTicks", "Delay"};

static void *renderer, *textures[3];
static const rect places[3] = {{0, 0, 400, 240}, {40, 240, 320, 240}, {400, 0, 400, 240}}; /* the last is the right eye's, beside the left one's */

static void *made(void *p) {
    if (p == NULL) host_stop(NULL, "--window: %s", sdl.GetError());
    return p;
}

void host_window_open(void) {
    void *lib = dlopen("libSDL2-2.0.so.0", RTLD_NOW);
    if (lib == NULL) host_stop(NULL, "--window needs SDL2 (%s)", dlerror());
    _Static_assert(sizeof sdl == sizeof names, "a name for each function");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char name[64] = "SDL_";
        strcat(name, names[i]);
        if ((((void **)&sdl)[i] = dlsym(lib, name)) == NULL) host_stop(NULL, "--window needs a newer SDL2 (%s)", dlerror());
    }
    if (sdl.Init(INIT_VIDEO) != 0) made(NULL);
    renderer = made(sdl.CreateRenderer(made(sdl.CreateWindow(host_option.name, CENTERED, CENTERED, 800, 960, RESIZABLE)), -1, 0));
    for (int i = 0; i < 3; i++) textures[i] = made(sdl.CreateTexture(renderer, ABGR8888, STREAMING, 800, 240));
}

/* Waits until a frame is due and shows it; returns whether the window was closed. */
bool host_window_frame(bool stereo) {
    static uint8_t rgba[4 * 800 * 240];
    static double due;
    _Alignas(8) uint8_t event[128];
    bool closed = false;
    sdl.RenderSetLogicalSize(renderer, stereo ? 800 : 400, 480);
    sdl.RenderClear(renderer);
    for (int i = 0; i < 2 + stereo; i++) {
        int width, height;
        if (pica200_screen(host_gpu, i, rgba, sizeof rgba, &width, &height)) host_stop(NULL, "%s", pica200_error(host_gpu));
        rect whole = {0, 0, width, height};
        sdl.UpdateTexture(textures[i], &whole, rgba, 4 * width);
        sdl.RenderCopy(renderer, textures[i], &whole, &places[i]);
    }
    double now = sdl.GetTicks();
    due += 1000.0 * HOST_TICKS_FRAME / SYSCLOCK_ARM11;
    if (due > now) sdl.Delay((uint32_t)(due - now));
    else due = now; /* late frames are not caught up */
    sdl.RenderPresent(renderer);
    while (sdl.PollEvent(event)) closed |= *(uint32_t *)(void *)event == QUIT;
    return closed;
}

/* Reads the pressed keys, which are those of common emulators, by position as on a US
 * keyboard, and the mouse as touches of the lower screen. */
void host_window_keys(u32 *keys, touchPosition *touch, circlePosition *circle) {
    enum { LETTER = 4 - 'a', RIGHT = 79, LEFT, DOWN, UP };
    static const struct { int key; u32 is; } pairs[] = {{LETTER + 'a', KEY_A}, {LETTER + 's', KEY_B}, {LETTER + 'z', KEY_X},
        {LETTER + 'x', KEY_Y}, {LETTER + 'q', KEY_L}, {LETTER + 'w', KEY_R}, {LETTER + 'm', KEY_START}, {LETTER + 'n', KEY_SELECT},
        {LETTER + 't', KEY_DUP}, {LETTER + 'g', KEY_DDOWN}, {LETTER + 'f', KEY_DLEFT}, {LETTER + 'h', KEY_DRIGHT}, {LETTER + 'e', KEY_ZL}, {LETTER + 'r', KEY_ZR}};
    const uint8_t *down = sdl.GetKeyboardState(NULL);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (down[pairs[i].key]) *keys |= pairs[i].is;
    *circle = (circlePosition){(s16)(150 * (down[RIGHT] - down[LEFT])), (s16)(150 * (down[UP] - down[DOWN]))};
    int x, y;
    float fx, fy;
    bool pressed = sdl.GetMouseState(&x, &y) & LEFT_BUTTON;
    sdl.RenderWindowToLogical(renderer, x, y, &fx, &fy);
    x = (int)fx - places[1].x, y = (int)fy - places[1].y;
    if (pressed && x >= 0 && x < 320 && y >= 0 && y < 240) *keys |= KEY_TOUCH, *touch = (touchPosition){(u16)x, (u16)y};
}
