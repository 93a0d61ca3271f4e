//go:build goexperiment.simd && (arm64 || wasm)

package simd

import (
	"simd/archsimd"
	"unsafe"
)

// Kernels must compare with Greater, GreaterEqual, Equal and Differ, and select
// with Choose...: on arm64 the compiler does not inline archsimd's Less,
// LessEqual, NotEqual, ToMask, and IfElse of integers.

const portable = true

// The vectors of the portable kernels: 128 bits.
type (
	Bytes  = archsimd.Uint8x16
	Words  = archsimd.Uint16x8
	Dwords = archsimd.Uint32x4
	Ints   = archsimd.Int32x4
	Floats = archsimd.Float32x4
	Mask   = archsimd.Mask32x4
)

// at returns the address of element i after p. Portable kernels take the same
// arguments as AVX2 ones: the caller guarantees that the memory exists.
func at[T any](p *T, i int) unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(p), uintptr(i)*unsafe.Sizeof(*p))
}

// LoadBytes reads 16 bytes from p[i] on; the others read as many as they name.
func LoadBytes(p *uint8, i int) Bytes {
	return archsimd.LoadUint8x16Array((*[16]uint8)(at(p, i)))
}
func LoadWords(p *uint8, i int) Words {
	return archsimd.LoadUint16x8Array((*[8]uint16)(at(p, i)))
}
func LoadDwords(p *uint32, i int) Dwords {
	return archsimd.LoadUint32x4Array((*[4]uint32)(at(p, i)))
}
func LoadFloats(p *float32, i int) Floats {
	return archsimd.LoadFloat32x4Array((*[4]float32)(at(p, i)))
}

func LoadInts(p *int32, i int) Ints { return archsimd.LoadInt32x4Array((*[4]int32)(at(p, i))) }

// FourInts and FourFloats read arrays.
func FourInts(p *[4]int32) Ints       { return archsimd.LoadInt32x4Array(p) }
func FourFloats(p *[4]float32) Floats { return archsimd.LoadFloat32x4Array(p) }

// LoadIntBytes and StoreIntBytes read and write four integers from byte i on.
func LoadIntBytes(p *uint8, i int) Ints     { return archsimd.LoadInt32x4Array((*[4]int32)(at(p, i))) }
func StoreIntBytes(p *uint8, i int, x Ints) { x.StoreArray((*[4]int32)(at(p, i))) }

// StoreBytes writes 16 bytes from p[i] on; the others write as many as they name.
func StoreBytes(p *uint8, i int, x Bytes)    { x.StoreArray((*[16]uint8)(at(p, i))) }
func StoreWords(p *uint8, i int, x Words)    { x.StoreArray((*[8]uint16)(at(p, i))) }
func StoreInts(p *int32, i int, x Ints)      { x.StoreArray((*[4]int32)(at(p, i))) }
func StoreDwords(p *uint32, i int, x Dwords) { x.StoreArray((*[4]uint32)(at(p, i))) }
func StoreFloats(p *float32, i int, x Floats) {
	x.StoreArray((*[4]float32)(at(p, i)))
}

// At returns element i after p.
func At[T any](p *T, i int) *T { return (*T)(at(p, i)) }

// Get and Put read and write the element i behind p.
func Get[T any](p *T, i int) T    { return *(*T)(at(p, i)) }
func Put[T any](p *T, i int, x T) { *(*T)(at(p, i)) = x }

// As is the memory behind p as another type.
func As[U, T any](p *T) *U { return (*U)(unsafe.Pointer(p)) }

// GetAs and PutAs do it with another type: four bytes as a uint32.
func GetAs[U, T any](p *T, i int) U    { return *(*U)(at(p, i)) }
func PutAs[U, T any](p *T, i int, x U) { *(*U)(at(p, i)) = x }

// Float, Int, Dword, Word and Byte fill a vector with one value.
func Float(x float32) Floats { return archsimd.BroadcastFloat32x4(x) }
func Int(x int32) Ints       { return archsimd.BroadcastInt32x4(x) }
func Dword(x uint32) Dwords  { return archsimd.BroadcastUint32x4(x) }
func Word(x uint16) Words    { return archsimd.BroadcastUint16x8(x) }
func Byte(x uint8) Bytes     { return archsimd.BroadcastUint8x16(x) }

// Order selects bytes for Shuffle: the source of each byte, or None for 0.
type Order [16]int8

const None = -1

// Shuffle reorders the bytes of x.
func Shuffle(x Bytes, o *Order) Bytes {
	return x.BitsToInt8().LookupOrZero(archsimd.LoadInt8x16Array((*[16]int8)(o))).ToBits()
}

// Pick selects the bytes of x at the indices in at; invalid indices give 0.
func Pick(x, at Bytes) Bytes {
	return x.BitsToInt8().LookupOrZero(at.BitsToInt8()).ToBits()
}

var (
	every4  = [4]Order{spread4(0), spread4(1), spread4(2), spread4(3)}
	Planes  = Order{0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15}
	laneBit = [4]int32{1, 2, 4, 8}
)

// spread4 copies the first byte of each of four into the k-th four bytes.
func spread4(k int) (o Order) {
	for i := range o {
		o[i] = None
		if i/4 == k {
			o[i] = int8(i % 4 * 4)
		}
	}
	return o
}

// JoinBytes joins the low bytes of 16 integers of 0 to 255.
func JoinBytes(a, b, c, d Ints) Bytes {
	return Shuffle(a.ToBits().ReshapeToUint8s(), &every4[0]).Or(Shuffle(b.ToBits().ReshapeToUint8s(), &every4[1])).
		Or(Shuffle(c.ToBits().ReshapeToUint8s(), &every4[2]).Or(Shuffle(d.ToBits().ReshapeToUint8s(), &every4[3])))
}

// WidenInts makes integers of 16 bytes.
func WidenInts(x Bytes) (a, b, c, d Ints) {
	lo, hi := Widen(x)
	a, b = WidenWords(lo)
	c, d = WidenWords(hi)
	return a, b, c, d
}

// WidenWords makes integers of eight words: the first four and the others.
func WidenWords(x Words) (lo, hi Ints) {
	return x.ExtendLo4ToUint32().BitsToInt32(), high4(x).BitsToInt32()
}

// NarrowInts joins the low words of eight integers.
func NarrowInts(lo, hi Ints) Words {
	return Shuffle(lo.ToBits().ReshapeToUint8s(), &wordsLow).Or(Shuffle(hi.ToBits().ReshapeToUint8s(), &wordsHigh)).ReshapeToUint16s()
}

var (
	wordsLow  = Order{0, 1, 4, 5, 8, 9, 12, 13, None, None, None, None, None, None, None, None}
	wordsHigh = Order{None, None, None, None, None, None, None, None, 0, 1, 4, 5, 8, 9, 12, 13}
)

// Lanes returns a bit for each lane of a mask that is set.
func Lanes(m Mask) uint32 {
	x := archsimd.LoadInt32x4Array(&laneBit).Masked(m)
	return uint32(x.GetElem(0) | x.GetElem(1) | x.GetElem(2) | x.GetElem(3))
}

// Any reports whether a lane of a mask is set.
func Any(m Mask) bool { return AnyBit(m.ToInt32x4()) }

// AnyBit reports whether a bit of x is set.
func AnyBit(x Ints) bool {
	y := x.ToBits().ReshapeToUint64s()
	return y.GetElem(0)|y.GetElem(1) != 0
}

// ByteLanes returns a bit for each of 16 bytes that is not 0: it is 255 then.
func ByteLanes(x Bytes) uint16 {
	const gather = 0x0101010101010101
	y := x.And(archsimd.LoadUint8x16Array(&byteBit)).ReshapeToUint64s()
	return uint16(y.GetElem(0)*gather>>56 | y.GetElem(1)*gather>>56<<8)
}

var byteBit = [16]uint8{1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128}

// FromLanes undoes Lanes: the lanes whose bits are set.
func FromLanes(bits uint32) Mask {
	x := archsimd.LoadInt32x4Array(&laneBit)
	return Int(int32(bits)).And(x).Equal(x)
}

// Positive is x where it is greater than 0, and 0 elsewhere, also for NaN.
func Positive(x Floats) Floats {
	return x.ToBits().And(x.Greater(Float(0)).ToInt32x4().ToBits()).BitsToFloat32()
}

// ChooseInts and ChooseDwords are Choose of integers; the compiler calls their own IfElse.
func ChooseInts(m Mask, x, y Ints) Ints { return ChooseDwords(m, x.ToBits(), y.ToBits()).BitsToInt32() }
func ChooseDwords(m Mask, x, y Dwords) Dwords {
	return Choose(m, x.BitsToFloat32(), y.BitsToFloat32()).ToBits()
}

// ChooseWords and ChooseBytes give x where m is all bits, and y where it is 0.
func ChooseWords(m, x, y Words) Words { return x.And(m).Or(y.AndNot(m)) }
func ChooseBytes(m, x, y Bytes) Bytes { return x.And(m).Or(y.AndNot(m)) }

var blockBits = [16]int32{1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7, 1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15}

// BlockLanes is Lanes of four masks, the bits of the later ones higher.
func BlockLanes(a, b, c, d Mask) uint32 {
	p := &blockBits[0]
	x := a.ToInt32x4().And(LoadInts(p, 0)).Or(b.ToInt32x4().And(LoadInts(p, 4))).
		Or(c.ToInt32x4().And(LoadInts(p, 8)).Or(d.ToInt32x4().And(LoadInts(p, 12)))).ToBits().ReshapeToUint64s()
	lanes := x.GetElem(0) | x.GetElem(1)
	return uint32(lanes | lanes>>32)
}

// FromBlockLanes undoes BlockLanes.
func FromBlockLanes(bits uint32) (a, b, c, d Mask) {
	p, x := &blockBits[0], Int(int32(bits))
	k, l, m, n := LoadInts(p, 0), LoadInts(p, 4), LoadInts(p, 8), LoadInts(p, 12)
	return x.And(k).Equal(k), x.And(l).Equal(l), x.And(m).Equal(m), x.And(n).Equal(n)
}

// Pairs reads elements 2i and 2i+1 of p at four places i, and gives the first ones and the others.
func Pairs(p *float32, i Ints) (first, second Floats) {
	q := As[uint64](p)
	x, y := EvenOdd(twoOf(Get(q, int(i.GetElem(0))), Get(q, int(i.GetElem(1)))), twoOf(Get(q, int(i.GetElem(2))), Get(q, int(i.GetElem(3)))))
	return x.BitsToFloat32(), y.BitsToFloat32()
}

func twoOf(a, b uint64) Dwords { return archsimd.BroadcastUint64x2(a).SetElem(1, b).ReshapeToUint32s() }

// Halves joins the lower halves, and the upper ones.
func Halves(x, y Dwords) (lo, hi Dwords) {
	a, b := x.ReshapeToUint64s(), y.ReshapeToUint64s()
	return a.SetElem(1, b.GetElem(0)).ReshapeToUint32s(), b.SetElem(0, a.GetElem(1)).ReshapeToUint32s()
}

// Transpose makes columns of four rows.
func Transpose(a, b, c, d Dwords) (w, x, y, z Dwords) {
	abl, abh := interleave(a, b)
	cdl, cdh := interleave(c, d)
	w, x = Halves(abl, cdl)
	y, z = Halves(abh, cdh)
	return w, x, y, z
}
