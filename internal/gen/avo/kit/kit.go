// Package kit has functions and constants in memory that the generators share.
package kit

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Text begins a function whose pointers do not outlive the call.
func Text(name, signature string) {
	TEXT(name, NOSPLIT, signature)
	Pragma("noescape")
}

// LargeText is Text for a function with a stack frame too large for NOSPLIT.
func LargeText(name, signature string) {
	TEXT(name, NOPTR, signature)
	Pragma("noescape")
}

// constants are the values placed in memory so far, by name.
var constants = map[string]Mem{}

// Dwords places 32-bit values in memory.
func Dwords(name string, v ...uint32) Mem {
	m, ok := constants[name]
	if !ok {
		m = GLOBL(name, RODATA|NOPTR)
		for i, x := range v {
			DATA(i*4, U32(x))
		}
		constants[name] = m
	}
	return m
}

// Repeat returns 32 bytes of memory that repeat a value of 2 or 4 bytes. Its name is prefix and the value's digits.
func Repeat(prefix string, size int, v uint32) Mem {
	name := fmt.Sprintf("%s%0*X", prefix, 2*size, v)
	m, ok := constants[name]
	if !ok {
		m = GLOBL(name, RODATA|NOPTR)
		for i := 0; i < 32; i += size {
			if size == 2 {
				DATA(i, U16(v))
			} else {
				DATA(i, U32(v))
			}
		}
		constants[name] = m
	}
	return m
}

// Bytes places bytes in memory.
func Bytes(name string, b []byte) Mem {
	m, ok := constants[name]
	if !ok {
		m = GLOBL(name, RODATA|NOPTR)
		for i, v := range b {
			DATA(i, U8(v))
		}
		constants[name] = m
	}
	return m
}

// IfWide jumps to a label if the kernels of the package use AVX-512.
func IfWide(label string) {
	CMPB(NewDataAddr(Symbol{Name: "·wide"}, 0), Imm(0))
	JNE(LabelRef(label))
}

// Wide is set while BothWays makes the form for AVX-512.
var Wide bool

// BothWays makes the body of a kernel, which ends with RET, twice: for AVX2 and for AVX-512.
func BothWays(body func()) {
	IfWide("wide")
	body()
	Label("wide")
	Wide = true
	body()
	Wide = false
}

// NewVector is a new register of the form that is made: of 256 or 512 bits.
func NewVector() VecVirtual {
	if Wide {
		return ZMM()
	}
	return YMM()
}

// Name makes a label of the form from a name.
func Name(label string) string {
	if Wide {
		return label + "Wide"
	}
	return label
}
