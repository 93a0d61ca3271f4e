package simd

import "golang.org/x/sys/cpu"

func haveAVX2() bool { return cpu.X86.HasAVX2 }
