/* arm.h - what programs ask of the console's processor: how many zeros are before the first one of 0; where the thread's own 512 bytes are, by
 * the one ARM instruction in libctru's headers; and the kernel's calls, which refuse. Every file of a project sees it. Part of pica200, MIT
 * License. */
#ifndef HOST_ARM_H
#define HOST_ARM_H
#if __cplusplus >= 201103L
constexpr
#endif
static inline int host_clz(unsigned x) { return x ? __builtin_clz(x) : 32; }
#define __builtin_clz host_clz
__asm__(".macro mrc p, o, to, n, m, q\n lea host_own, \\to\n.endm\n.comm host_own, 512, 16\n"
        ".macro svc number\n movl $0xD8E007F7, %eax\n.endm\n.macro bx to\n ret\n.endm");
#endif
