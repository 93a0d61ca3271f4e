// Package kit has functions and constants in memory that the generators share.
package kit

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Text begins a function whose pointers do not outlive the call. The first line of its comment is put behind its name.
func Text(name, signature, doc string, more ...string) { text(NOSPLIT, name, signature, doc, more) }

// LargeText is Text for a function with a stack frame too large for NOSPLIT.
func LargeText(name, signature, doc string, more ...string) { text(NOPTR, name, signature, doc, more) }

func text(a attr.Attribute, name, signature, doc string, more []string) {
	TEXT(name, a, signature)
	Pragma("noescape")
	Doc(append([]string{name + " " + doc}, more...)...)
}

// Leave ends a kernel that uses vectors.
func Leave() {
	VZEROUPPER()
	RET()
}

// constants are the values placed in memory so far, by name.
var constants = map[string]Mem{}

// Bytes places bytes in memory, eight to a line.
func Bytes(name string, b []byte) Mem {
	m, ok := constants[name]
	if ok {
		return m
	}
	m = GLOBL(name, RODATA|NOPTR)
	whole := len(b) &^ 7
	for i := 0; i < whole; i += 8 {
		DATA(i, U64(binary.LittleEndian.Uint64(b[i:])))
	}
	for i := whole; i < len(b); i++ {
		DATA(i, U8(b[i]))
	}
	constants[name] = m
	return m
}

// Dwords places 32-bit values in memory.
func Dwords(name string, v ...uint32) Mem {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	return Bytes(name, b)
}

// Repeat returns 32 bytes of memory that repeat a value of 2 or 4 bytes. Its name is prefix and the value's digits.
func Repeat(prefix string, size int, v uint32) Mem {
	value := binary.LittleEndian.AppendUint32(nil, v)[:size]
	return Bytes(fmt.Sprintf("%s%0*X", prefix, 2*size, v), bytes.Repeat(value, 32/size))
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

// In emits an instruction that writes a register, and returns the register.
func In[R Op, F func(...Op) | func(a, b Op) | func(a, b, c Op) | func(a, b, c, d Op)](to R, instruction F, from ...Op) R {
	switch f := any(instruction).(type) {
	case func(...Op):
		f(append(from, to)...)
	case func(a, b Op):
		f(from[0], to)
	case func(a, b, c Op):
		f(from[0], from[1], to)
	case func(a, b, c, d Op):
		f(from[0], from[1], from[2], to)
	}
	return to
}
