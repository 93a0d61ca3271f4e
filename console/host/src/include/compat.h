/* compat.h - names that libctru had before 2.0 and citro3d before 1.4, for COMPAT=1. Every file of a project sees it first.
 * Part of pica200, MIT License. */
#ifndef HOST_COMPAT_H
#define HOST_COMPAT_H
#include <3ds.h>
#define GPUREG_0062 0x0062 /* registers were named by their numbers */
#define GPUREG_0118 0x0118
#define GPU_UNKPRIM GPU_GEOMETRY_PRIM
static inline Result sdmcInit(void) { return 0; }
static inline Result sdmcExit(void) { return 0; }
static inline Result ptmInit(void) { return ptmuInit(); }
static inline Result ptmExit(void) { return ptmuExit(), 0; }
#ifdef __cplusplus
inline Result hidInit(void *) { return hidInit(); }
inline void gfxInit() { gfxInitDefault(); }
#else
static inline void host_gfx_init(bool given, const int *formats) {
    if (given) gfxInit((GSPGPU_FramebufferFormat)formats[1], (GSPGPU_FramebufferFormat)formats[2], formats[3] != 0);
    else gfxInitDefault();
}
#define hidInit(...) (hidInit)()
#define gfxInit(...) host_gfx_init(sizeof((int[]){0, ##__VA_ARGS__}) / sizeof(int) > 1, (int[4]){0, ##__VA_ARGS__})
#endif

#if __has_include(<citro3d.h>)
#include <citro3d.h>
/* These only start the command, past citro3d's queue; the program waits for the event. */
static inline void C3D_SafeDisplayTransfer(u32 *in, u32 in_size, u32 *out, u32 out_size, u32 flags) {
    const u32 command[8] = {3, (u32)(uintptr_t)in, (u32)(uintptr_t)out, in_size, out_size, flags, 0, 0};
    gspSubmitGxCommand(command);
}
static inline void C3D_SafeTextureCopy(u32 *in, u32 in_line, u32 *out, u32 out_line, u32 size, u32 flags) {
    const u32 command[8] = {4, (u32)(uintptr_t)in, (u32)(uintptr_t)out, size, in_line, out_line, flags, 0};
    gspSubmitGxCommand(command);
}
static inline void C3D_SafeMemoryFill(u32 *a, u32 value_a, u32 *end_a, u16 control_a, u32 *b, u32 value_b, u32 *end_b, u16 control_b) {
    const u32 command[8] = {2, (u32)(uintptr_t)a, value_a, (u32)(uintptr_t)end_a, (u32)(uintptr_t)b, value_b, (u32)(uintptr_t)end_b, control_a | (u32)control_b << 16};
    gspSubmitGxCommand(command);
}
/* Without their last argument: which hand the coordinates are of. */
#define host_two(a, b, ...) a, b
#define Mtx_Ortho(m, l, r, b, t, n, ...) Mtx_Ortho(m, l, r, b, t, n, host_two(__VA_ARGS__, true, ))
#define Mtx_OrthoTilt(m, l, r, b, t, n, ...) Mtx_OrthoTilt(m, l, r, b, t, n, host_two(__VA_ARGS__, true, ))
#define Mtx_Persp(m, y, a, n, ...) Mtx_Persp(m, y, a, n, host_two(__VA_ARGS__, false, ))
#define Mtx_PerspTilt(m, y, a, n, ...) Mtx_PerspTilt(m, y, a, n, host_two(__VA_ARGS__, false, ))
#define Mtx_PerspStereo(m, y, a, n, f, i, ...) Mtx_PerspStereo(m, y, a, n, f, i, host_two(__VA_ARGS__, false, ))
#define Mtx_PerspStereoTilt(m, y, a, n, f, i, ...) Mtx_PerspStereoTilt(m, y, a, n, f, i, host_two(__VA_ARGS__, false, ))
static inline void C3D_VideoSync(void) { gspWaitForVBlank(); }
static inline void C3D_TexEnvOp(C3D_TexEnv *env, C3D_TexEnvMode mode, int a, int b, int c) {
    if (mode & C3D_RGB) C3D_TexEnvOpRgb(env, (GPU_TEVOP_RGB)a, (GPU_TEVOP_RGB)b, (GPU_TEVOP_RGB)c);
    if (mode & C3D_Alpha) C3D_TexEnvOpAlpha(env, (GPU_TEVOP_A)a, (GPU_TEVOP_A)b, (GPU_TEVOP_A)c);
}

/* What a target is cleared with whenever drawing on it begins. */
static struct { C3D_RenderTarget *target; C3D_ClearBits bits; u32 color, depth; } host_clears[8];
static inline void C3D_RenderTargetSetClear(C3D_RenderTarget *target, C3D_ClearBits bits, u32 color, u32 depth) {
    int i = 0;
    while (i < 7 && host_clears[i].target && host_clears[i].target != target) i++;
    host_clears[i].target = target, host_clears[i].bits = bits, host_clears[i].color = color, host_clears[i].depth = depth;
}
static inline bool host_draw_on(C3D_RenderTarget *target) {
    for (int i = 0; i < 8; i++)
        if (host_clears[i].target == target && host_clears[i].bits) C3D_RenderTargetClear(target, host_clears[i].bits, host_clears[i].color, host_clears[i].depth);
    return C3D_FrameDrawOn(target);
}
#define C3D_FrameDrawOn host_draw_on
#endif
#endif
