package simd

import "golang.org/x/sys/cpu"

// haveAVX2 asks for F16C too, which every processor with AVX2 has and package cpu does not know.
func haveAVX2() bool { return cpu.X86.HasAVX2 && features()>>29&1 != 0 }

// features is what CPUID 1 gives in ECX.
func features() uint32
