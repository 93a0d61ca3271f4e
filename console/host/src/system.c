/* system.c - applications, keys, messages. Part of pica200, MIT License. */
#define _GNU_SOURCE
#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Applications ------------------------------------------------------------- */

/* Variables of libctru's start. */
u32 __apt_appid = 0x300, __system_runflags;
void *__service_ptr;
const char *__system_arglist;
void (*__system_retAddr)(void);

static aptHookCookie hooks = {&hooks, NULL, NULL};

/* Waits for the next frame unless one has ended since the last call, so that programs
 * that do not wait for the vertical blank end, too. */
bool aptMainLoop(void) {
    static long seen = -1;
    if (host_frame == seen) gspWaitForEvent(GSPGPU_EVENT_VBlank0, true);
    seen = host_frame;
    if (!host_closing) return true;
    static bool told;
    if (!told) host_hooks(APTHOOK_ONEXIT);
    told = true;
    return false;
}
bool aptShouldClose(void) { return host_closing; }

void host_hooks(APT_HookType why) {
    for (aptHookCookie *c = hooks.next; c != &hooks; c = c->next) c->callback(why, c->param);
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

/* --- Keys ---------------------------------------------------------------------- */

/* The input from a frame on. */
struct step { long frame; u32 keys; touchPosition touch; circlePosition circle; float slider; const char *text; };
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
    char line[1024];
    int number = 0;
    FILE *f = __real_fopen(path, "r");
    if (f == NULL) host_stop(NULL, "%s cannot be read", path);
    float slider = host_option.slider;
    while (fgets(line, sizeof line, f)) {
        number++;
        char *comment = strchr(line, '#'), *rest = line, *text = strstr(line, " text=");
        if (text && (comment == NULL || text < comment)) *text = 0, text += strlen(" text="), text[strcspn(text, "\r\n")] = 0;
        else text = NULL;
        if (comment && text == NULL) *comment = 0;
        char *w = strtok_r(line, " \t\r\n", &rest), *end;
        if (w == NULL) continue;
        struct step s = {.frame = strtol(w, &end, 10), .slider = slider};
        if (*end || s.frame < 0 || (step_count && s.frame <= steps[step_count - 1].frame))
            host_stop(NULL, "%s, line %d: \"%s\" is not a frame after that of the line before", path, number, w);
        while ((w = strtok_r(NULL, " \t\r\n", &rest)))
            if (word(&s, w) == NULL)
                host_stop(NULL, "%s, line %d: \"%s\" is not a key (A to ZR, START, UP, CUP, touch=X,Y, circle=X,Y, slider=S, text=..., - for none)", path, number, w);
        slider = s.slider;
        if (text && (s.text = strdup(text)) == NULL) host_stop(NULL, "no memory for %s", path);
        steps = realloc(steps, (step_count + 1) * sizeof *steps);
        if (steps == NULL) host_stop(NULL, "no memory for %s", path);
        steps[step_count++] = s;
    }
    fclose(f);
}

const char *host_text(void) {
    static size_t next;
    while (next < step_count && steps[next].frame <= host_frame) {
        const char *text = steps[next++].text;
        if (text) return text;
    }
    return NULL;
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
void hidWaitForEvent(HID_Event id, bool next) { (void)id, (void)next, gspWaitForEvent(GSPGPU_EVENT_VBlank0, true); }
void irrstWaitForEvent(bool next) { (void)next, gspWaitForEvent(GSPGPU_EVENT_VBlank0, true); }

/* --- The rest ---------------------------------------------------------------------- */

Result svcOutputDebugString(const char *text, s32 length) { return fprintf(stderr, "%.*s", (int)length, text), 0; }
void svcBreak(UserBreakType why) {
    static const char *const words[] = {"panic", "assertion", "user"};
    host_stop(HOST_CALLER, "svcBreak (%s) was called", (unsigned)why < 3 ? words[why] : "other");
}
