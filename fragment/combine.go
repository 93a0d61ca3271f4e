package fragment

import (
	"pica200/internal/simd"
	"pica200/pica"
)

// The functions of the combiner stages, on planes of 8-bit channels. A function
// rounds once, before its result is scaled (rounding.go).

// combineCall has the operands of one channel of a stage.
type combineCall struct {
	dst   planeRef
	arg   [3]operand
	shift uint8
}

// combineFunction describes a function. The number of its operands is
// pica.Combine.Inputs.
type combineFunction struct {
	// kernel computes one channel. It is nil for dot products, which need three
	// channels (dot3Op). If alpha has a dot product of its own, its operand 0 is
	// passed on.
	kernel func(m *machine, k *combineCall)
	dot    bool
	// wide is true if the dot product is written to alpha too.
	wide bool
}

// combineFunctions describes each function.
var combineFunctions = [...]combineFunction{
	pica.CombineReplace:     {kernel: combineReplace},
	pica.CombineModulate:    {kernel: combineModulate},
	pica.CombineAdd:         {kernel: combineAdd},
	pica.CombineAddSigned:   {kernel: combineAddSigned},
	pica.CombineInterpolate: {kernel: combineInterpolate},
	pica.CombineSubtract:    {kernel: combineSubtract},
	pica.CombineDot3RGB:     {dot: true},
	pica.CombineDot3RGBA:    {dot: true, wide: true},
	pica.CombineMultAdd:     {kernel: combineMultiplyAdd},
	pica.CombineAddMult:     {kernel: combineAddMultiply},
}

// lanes returns the first n lanes of the operand's plane, and the value to xor
// them with.
func (m *machine) lanes(o *operand) ([]uint8, uint32) {
	return m.plane(o.ref)[:m.n], uint32(o.xor)
}

// uniform reports whether all lanes of a plane are known to be equal.
func (m *machine) uniform(r planeRef) bool {
	i := r.index()
	i ^= m.passed[i]
	r = planeRef{i / 4, i % 4}
	return r.reg-firstConst < numConsts || r.reg == cTex3 && m.proc.same || r.reg == cPrimary && m.primary[r.channel] != 0
}

// isOne reports whether an operand is known to be 255 in all lanes.
func (m *machine) isOne(o *operand) bool { return m.uniform(o.ref) && m.plane(o.ref)[0]^o.xor == 255 }

func combineReplace(m *machine, k *combineCall) { m.replace(k, &k.arg[0]) }

// replace makes an operand the result.
func (m *machine) replace(k *combineCall, o *operand) {
	s := k.shift & 3
	if o.xor == 0 && s == 0 {
		m.pass(k.dst, o.ref)
		return
	}
	d := m.result(k.dst)[:m.n]
	a, xa := m.lanes(o)
	a = a[:len(d)]
	if simd.Vectors && m.with.Vector() {
		combineReplaceVector(&d[0], &a[0], uint64(xa), uint64(s), len(d))
		return
	}
	for i := range d {
		d[i] = uint8(min((uint32(a[i])^xa)<<s, 255))
	}
}

func combineModulate(m *machine, k *combineCall) {
	for i := range 2 {
		if m.isOne(&k.arg[i]) {
			m.replace(k, &k.arg[1-i])
			return
		}
	}
	d := m.result(k.dst)[:m.n]
	a, xa := m.lanes(&k.arg[0])
	b, xb := m.lanes(&k.arg[1])
	a, b = a[:len(d)], b[:len(d)]
	s := k.shift & 3
	if simd.Vectors && m.with.Vector() {
		combineModulateVector(&d[0], &a[0], &b[0], uint64(xa), uint64(xb), uint64(s), len(d))
		return
	}
	for i := range d {
		v := ((uint32(a[i])^xa)*(uint32(b[i])^xb) + texEnvRounding) / 255
		d[i] = uint8(min(v<<s, 255))
	}
}

func combineAdd(m *machine, k *combineCall) {
	d := m.result(k.dst)[:m.n]
	a, xa := m.lanes(&k.arg[0])
	b, xb := m.lanes(&k.arg[1])
	a, b = a[:len(d)], b[:len(d)]
	s := k.shift & 3
	if simd.Vectors && m.with.Vector() {
		combineAddVector(&d[0], &a[0], &b[0], uint64(xa), uint64(xb), uint64(s), len(d))
		return
	}
	for i := range d {
		// Saturating the sum before scaling gives the same as after.
		v := (uint32(a[i]) ^ xa) + (uint32(b[i]) ^ xb)
		d[i] = uint8(min(v<<s, 255))
	}
}

// combineAddSigned adds with an offset of -0.5, which is -128.
func combineAddSigned(m *machine, k *combineCall) {
	d := m.result(k.dst)[:m.n]
	a, xa := m.lanes(&k.arg[0])
	b, xb := m.lanes(&k.arg[1])
	a, b = a[:len(d)], b[:len(d)]
	s := k.shift & 3
	if simd.Vectors && m.with.Vector() {
		combineAddSignedVector(&d[0], &a[0], &b[0], uint64(xa), uint64(xb), uint64(s), len(d))
		return
	}
	for i := range d {
		v := max(int32(uint32(a[i])^xa)+int32(uint32(b[i])^xb)-128, 0)
		d[i] = uint8(min(v<<s, 255))
	}
}

func combineSubtract(m *machine, k *combineCall) {
	d := m.result(k.dst)[:m.n]
	a, xa := m.lanes(&k.arg[0])
	b, xb := m.lanes(&k.arg[1])
	a, b = a[:len(d)], b[:len(d)]
	s := k.shift & 3
	if simd.Vectors && m.with.Vector() {
		combineSubtractVector(&d[0], &a[0], &b[0], uint64(xa), uint64(xb), uint64(s), len(d))
		return
	}
	for i := range d {
		v := max(int32(uint32(a[i])^xa)-int32(uint32(b[i])^xb), 0)
		d[i] = uint8(min(v<<s, 255))
	}
}

// combineInterpolate is (a*c + b*(1-c)).
func combineInterpolate(m *machine, k *combineCall) {
	if f := &k.arg[2]; m.uniform(f.ref) {
		// If one weight is 1 and the other 0, one operand is the result.
		switch m.plane(f.ref)[0] ^ f.xor {
		case 255:
			m.replace(k, &k.arg[0])
			return
		case 0:
			m.replace(k, &k.arg[1])
			return
		}
	}
	d := m.result(k.dst)[:m.n]
	a, xa := m.lanes(&k.arg[0])
	b, xb := m.lanes(&k.arg[1])
	c, xc := m.lanes(&k.arg[2])
	a, b, c = a[:len(d)], b[:len(d)], c[:len(d)]
	s := k.shift & 3
	if simd.Vectors && m.with.Vector() {
		combineInterpolateVector(&d[0], &a[0], &b[0], &c[0], uint64(xa), uint64(xb), uint64(xc), uint64(s), len(d))
		return
	}
	for i := range d {
		t := uint32(c[i]) ^ xc
		v := ((uint32(a[i])^xa)*t + (uint32(b[i])^xb)*(255-t) + texEnvRounding) / 255
		d[i] = uint8(min(v<<s, 255))
	}
}

// combineMultiplyAdd is a*b + c.
func combineMultiplyAdd(m *machine, k *combineCall) {
	d := m.result(k.dst)[:m.n]
	a, xa := m.lanes(&k.arg[0])
	b, xb := m.lanes(&k.arg[1])
	c, xc := m.lanes(&k.arg[2])
	a, b, c = a[:len(d)], b[:len(d)], c[:len(d)]
	s := k.shift & 3
	if simd.Vectors && m.with.Vector() {
		combineMultiplyAddVector(&d[0], &a[0], &b[0], &c[0], uint64(xa), uint64(xb), uint64(xc), uint64(s), len(d))
		return
	}
	for i := range d {
		v := ((uint32(a[i])^xa)*(uint32(b[i])^xb)+texEnvRounding)/255 + (uint32(c[i]) ^ xc)
		d[i] = uint8(min(v<<s, 255))
	}
}

// combineAddMultiply is min(a+b, 1) * c.
func combineAddMultiply(m *machine, k *combineCall) {
	d := m.result(k.dst)[:m.n]
	a, xa := m.lanes(&k.arg[0])
	b, xb := m.lanes(&k.arg[1])
	c, xc := m.lanes(&k.arg[2])
	a, b, c = a[:len(d)], b[:len(d)], c[:len(d)]
	s := k.shift & 3
	if simd.Vectors && m.with.Vector() {
		combineAddMultiplyVector(&d[0], &a[0], &b[0], &c[0], uint64(xa), uint64(xb), uint64(xc), uint64(s), len(d))
		return
	}
	for i := range d {
		v := (min((uint32(a[i])^xa)+(uint32(b[i])^xb), 255)*(uint32(c[i])^xc) + texEnvRounding) / 255
		d[i] = uint8(min(v<<s, 255))
	}
}

// dot3Op makes the op of the dot product of two colours read as -1..1: 4 times
// the sum of (a-0.5)*(b-0.5), with the products of dot3Product.
func dot3Op(stage int, dst planeRef, a, b [3]operand, shift uint8) stageOp {
	k := dot3Call{dst: dst, a: a, b: b, shift: shift}
	o := stageOp{op: op{name: "combine dot3", index: uint8(stage), run: func(m *machine) { combineDot3(m, &k) }}, write: dst}
	for ch := range a {
		o.reads.add(a[ch].ref)
		o.reads.add(b[ch].ref)
	}
	return o
}

// dot3Call has the operands of a dot product for each channel.
type dot3Call struct {
	dst   planeRef
	a, b  [3]operand
	shift uint8
}

func combineDot3(m *machine, k *dot3Call) {
	d := m.result(k.dst)[:m.n]
	a0, xa0 := m.lanes(&k.a[0])
	a1, xa1 := m.lanes(&k.a[1])
	a2, xa2 := m.lanes(&k.a[2])
	b0, xb0 := m.lanes(&k.b[0])
	b1, xb1 := m.lanes(&k.b[1])
	b2, xb2 := m.lanes(&k.b[2])
	a0, a1, a2, b0, b1, b2 = a0[:len(d)], a1[:len(d)], a2[:len(d)], b0[:len(d)], b1[:len(d)], b2[:len(d)]
	s := k.shift & 3
	if simd.Vectors && m.with.Vector() {
		x := uint64(xa0 | xa1<<8 | xa2<<16)
		y := uint64(xb0 | xb1<<8 | xb2<<16)
		combineDot3Vector(&d[0], &a0[0], &a1[0], &a2[0], &b0[0], &b1[0], &b2[0], x, y, uint64(s), len(d))
		return
	}
	for i := range d {
		sum := dot3Product(uint32(a0[i])^xa0, uint32(b0[i])^xb0) +
			dot3Product(uint32(a1[i])^xa1, uint32(b1[i])^xb1) +
			dot3Product(uint32(a2[i])^xa2, uint32(b2[i])^xb2)
		// Clamping before the scale is the same as after.
		d[i] = uint8(min(max(sum, 0)<<s, 255))
	}
}

// dot3Product is the product of two channels read as -1..1, in steps of 1/255.
//
// Dot3Products: a channel x stands for the odd number 2x-255. The hardware
// takes its magnitude by one's complement (~v for a negative v), divides the
// product of the magnitudes by 255, rounding to nearest, and negates by one's
// complement again, so that products of unlike signs are at most -1. This gives
// all 2,816 results that were measured on a console
// (testdata/dot3-console.txt). So would dividing as (x + x>>8 + 128) >> 8,
// which is 1 less for 24 of the 65,536 pairs. No published result decides
// between the two; rounding is simpler.
func dot3Product(a, b uint32) int32 {
	u, v := int32(a)*2-255, int32(b)*2-255
	su, sv := u>>31, v>>31
	q := ((u^su)*(v^sv) + roundNearest) / 255
	return q ^ su ^ sv
}
