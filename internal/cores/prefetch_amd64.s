#include "textflag.h"

// LINES runs an instruction with the address of each line of 64 bytes in AX: of that of p
// in any case, which is harmless for any address, and of all others up to p+bytes.
#define LINES(instruction) \
	MOVQ p+0(FP), AX; \
	MOVQ bytes+8(FP), CX; \
	ADDQ AX, CX; \
	ANDQ $-64, AX; \
loop: \
	instruction; \
	ADDQ $64, AX; \
	CMPQ AX, CX; \
	JB   loop; \
	RET

#define PREFETCHW_AX BYTE $0x0F; BYTE $0x0D; BYTE $0x08

// func prefetch(p unsafe.Pointer, bytes int)
TEXT ·prefetch(SB), NOSPLIT, $0-16
	LINES(PREFETCHT0 (AX))

// func prefetchWrite(p unsafe.Pointer, bytes int)
TEXT ·prefetchWrite(SB), NOSPLIT, $0-16
	LINES(PREFETCHW_AX)
