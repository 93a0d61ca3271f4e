package fragment

import (
	"pica200/internal/simd"
	"pica200/pica"
)

// The functions of the combiner stages on 8-bit channels, a plane at a time.
//
// TexEnvDivide: products are divided by 255 dropping the fraction, as one
// implementation does; another rounds, and the hardware was never measured
// (docs/ACCURACY.md, "TexEnv rounding").

// combineCall is the operands of one channel of a stage.
type combineCall struct {
	dst   planeRef
	arg   [3]operand
	shift uint8
}

// combineArgs is the number of sources that each function reads.
var combineArgs = [...]int{
	pica.CombineReplace:     1,
	pica.CombineModulate:    2,
	pica.CombineAdd:         2,
	pica.CombineAddSigned:   2,
	pica.CombineInterpolate: 3,
	pica.CombineSubtract:    2,
	pica.CombineDot3RGB:     2,
	pica.CombineDot3RGBA:    2,
	pica.CombineMultAdd:     3,
	pica.CombineAddMult:     3,
}

// combineKernels holds the kernel of each function; dot products work on
// three channels and have a kernel of another shape.
var combineKernels = [...]func(m *machine, k *combineCall){
	pica.CombineReplace:     combineReplace,
	pica.CombineModulate:    combineModulate,
	pica.CombineAdd:         combineAdd,
	pica.CombineAddSigned:   combineAddSigned,
	pica.CombineInterpolate: combineInterpolate,
	pica.CombineSubtract:    combineSubtract,
	pica.CombineMultAdd:     combineMultiplyAdd,
	pica.CombineAddMult:     combineAddMultiply,
}

// lanes gives the first n lanes of the operand's plane and what to xor with.
func (m *machine) lanes(o *operand) ([]uint8, uint32) {
	return m.plane(o.ref)[:m.n], uint32(o.xor)
}

func combineReplace(m *machine, k *combineCall) {
	d := m.plane(k.dst)[:m.n]
	a, xa := m.lanes(&k.arg[0])
	a = a[:len(d)]
	s := k.shift & 3
	if simd.AVX2 {
		combineReplaceAVX2(&d[0], &a[0], uint64(xa), uint64(s), len(d))
		return
	}
	for i := range d {
		d[i] = uint8(min((uint32(a[i])^xa)<<s, 255))
	}
}

func combineModulate(m *machine, k *combineCall) {
	d := m.plane(k.dst)[:m.n]
	a, xa := m.lanes(&k.arg[0])
	b, xb := m.lanes(&k.arg[1])
	a, b = a[:len(d)], b[:len(d)]
	s := k.shift & 3
	if simd.AVX2 {
		combineModulateAVX2(&d[0], &a[0], &b[0], uint64(xa), uint64(xb), uint64(s), len(d))
		return
	}
	for i := range d {
		v := (uint32(a[i]) ^ xa) * (uint32(b[i]) ^ xb) / 255
		d[i] = uint8(min(v<<s, 255))
	}
}

func combineAdd(m *machine, k *combineCall) {
	d := m.plane(k.dst)[:m.n]
	a, xa := m.lanes(&k.arg[0])
	b, xb := m.lanes(&k.arg[1])
	a, b = a[:len(d)], b[:len(d)]
	s := k.shift & 3
	if simd.AVX2 {
		combineAddAVX2(&d[0], &a[0], &b[0], uint64(xa), uint64(xb), uint64(s), len(d))
		return
	}
	for i := range d {
		// The sum saturates before it is scaled, which is the same as after.
		v := (uint32(a[i]) ^ xa) + (uint32(b[i]) ^ xb)
		d[i] = uint8(min(v<<s, 255))
	}
}

// combineAddSigned adds with an offset of -0.5, which is -128.
func combineAddSigned(m *machine, k *combineCall) {
	d := m.plane(k.dst)[:m.n]
	a, xa := m.lanes(&k.arg[0])
	b, xb := m.lanes(&k.arg[1])
	a, b = a[:len(d)], b[:len(d)]
	s := k.shift & 3
	if simd.AVX2 {
		combineAddSignedAVX2(&d[0], &a[0], &b[0], uint64(xa), uint64(xb), uint64(s), len(d))
		return
	}
	for i := range d {
		v := max(int32(uint32(a[i])^xa)+int32(uint32(b[i])^xb)-128, 0)
		d[i] = uint8(min(v<<s, 255))
	}
}

func combineSubtract(m *machine, k *combineCall) {
	d := m.plane(k.dst)[:m.n]
	a, xa := m.lanes(&k.arg[0])
	b, xb := m.lanes(&k.arg[1])
	a, b = a[:len(d)], b[:len(d)]
	s := k.shift & 3
	if simd.AVX2 {
		combineSubtractAVX2(&d[0], &a[0], &b[0], uint64(xa), uint64(xb), uint64(s), len(d))
		return
	}
	for i := range d {
		v := max(int32(uint32(a[i])^xa)-int32(uint32(b[i])^xb), 0)
		d[i] = uint8(min(v<<s, 255))
	}
}

// combineInterpolate is (a*c + b*(1-c)).
func combineInterpolate(m *machine, k *combineCall) {
	d := m.plane(k.dst)[:m.n]
	a, xa := m.lanes(&k.arg[0])
	b, xb := m.lanes(&k.arg[1])
	c, xc := m.lanes(&k.arg[2])
	a, b, c = a[:len(d)], b[:len(d)], c[:len(d)]
	s := k.shift & 3
	if simd.AVX2 {
		combineInterpolateAVX2(&d[0], &a[0], &b[0], &c[0], uint64(xa), uint64(xb), uint64(xc), uint64(s), len(d))
		return
	}
	for i := range d {
		t := uint32(c[i]) ^ xc
		v := ((uint32(a[i])^xa)*t + (uint32(b[i])^xb)*(255-t)) / 255
		d[i] = uint8(min(v<<s, 255))
	}
}

// combineMultiplyAdd is a*b + c.
func combineMultiplyAdd(m *machine, k *combineCall) {
	d := m.plane(k.dst)[:m.n]
	a, xa := m.lanes(&k.arg[0])
	b, xb := m.lanes(&k.arg[1])
	c, xc := m.lanes(&k.arg[2])
	a, b, c = a[:len(d)], b[:len(d)], c[:len(d)]
	s := k.shift & 3
	if simd.AVX2 {
		combineMultiplyAddAVX2(&d[0], &a[0], &b[0], &c[0], uint64(xa), uint64(xb), uint64(xc), uint64(s), len(d))
		return
	}
	for i := range d {
		v := (uint32(a[i])^xa)*(uint32(b[i])^xb)/255 + (uint32(c[i]) ^ xc)
		d[i] = uint8(min(v<<s, 255))
	}
}

// combineAddMultiply is min(a+b, 1) * c.
func combineAddMultiply(m *machine, k *combineCall) {
	d := m.plane(k.dst)[:m.n]
	a, xa := m.lanes(&k.arg[0])
	b, xb := m.lanes(&k.arg[1])
	c, xc := m.lanes(&k.arg[2])
	a, b, c = a[:len(d)], b[:len(d)], c[:len(d)]
	s := k.shift & 3
	if simd.AVX2 {
		combineAddMultiplyAVX2(&d[0], &a[0], &b[0], &c[0], uint64(xa), uint64(xb), uint64(xc), uint64(s), len(d))
		return
	}
	for i := range d {
		v := min((uint32(a[i])^xa)+(uint32(b[i])^xb), 255) * (uint32(c[i]) ^ xc) / 255
		d[i] = uint8(min(v<<s, 255))
	}
}

// dot3Op is the dot product of two colours read as -1..1: 4 times the sum of
// (a-0.5)*(b-0.5).
//
// Dot3Precision: each product is rounded to 1/256 before the sum. Tests on a
// console show that the single products are no finer than that, while the sum
// was seen to differ from any formula by up to 3 (Azahar, sw_texturing.cpp).
func dot3Op(stage int, dst planeRef, a, b [3]operand, shift uint8) stageOp {
	o := stageOp{
		op: op{name: "combine dot3", index: uint8(stage), run: func(m *machine) {
			d := m.plane(dst)[:m.n]
			var sum [len(Bytes{})]int32
			for ch := range a {
				p, xp := m.lanes(&a[ch])
				q, xq := m.lanes(&b[ch])
				p, q = p[:len(d)], q[:len(d)]
				for i := range p {
					u := int32(uint32(p[i])^xp)*2 - 255
					v := int32(uint32(q[i])^xq)*2 - 255
					// Division towards zero, as in the implementation above.
					sum[i] += (u*v + 128) / 256
				}
			}
			for i := range d {
				v := min(max(sum[i], 0), 255)
				d[i] = uint8(min(v<<(shift&3), 255))
			}
		}},
		write: dst,
	}
	for ch := range a {
		o.reads.add(a[ch].ref)
		o.reads.add(b[ch].ref)
	}
	return o
}
