package simd

import "golang.org/x/sys/cpu"

const assembly = true

// haveAVX2 also checks what AVX2 kernels use besides: fused products and sums, and
// F16C, which package cpu does not report.
func haveAVX2() bool { return cpu.X86.HasAVX2 && cpu.X86.HasFMA && features()>>29&1 != 0 }

func haveAVX512() bool {
	return cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512VBMI && cpu.X86.HasBMI2
}

// features returns ECX of CPUID 1.
func features() uint32
