/* arm.h - the one ARM instruction in libctru's headers, which asks where the thread's own 512 bytes are, and those of programs that call the
 * kernel themselves, which refuses. Every file of a project sees it. Part of pica200, MIT License. */
#ifndef HOST_ARM_H
#define HOST_ARM_H
__asm__(".macro mrc p, o, to, n, m, q\n lea host_own, \\to\n.endm\n.comm host_own, 512, 16\n"
        ".macro svc number\n movl $0xD8E007F7, %eax\n.endm\n.macro bx to\n ret\n.endm");
#endif
