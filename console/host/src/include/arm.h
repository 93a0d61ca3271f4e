/* arm.h - the one ARM instruction in libctru's headers, which asks where the thread's own 512 bytes are. Every file of a project sees it.
 * Part of pica200, MIT License. */
#ifndef HOST_ARM_H
#define HOST_ARM_H
__asm__(".macro mrc p, o, to, n, m, q\n lea host_own, \\to\n.endm\n.comm host_own, 512, 16");
#endif
