package simd

import "golang.org/x/sys/cpu"

// haveAVX2 also checks F16C, which every processor with AVX2 has but package
// cpu does not report.
func haveAVX2() bool { return cpu.X86.HasAVX2 && features()>>29&1 != 0 }

// features returns ECX of CPUID 1.
func features() uint32
