package shaderunit

import (
	"flag"
	"fmt"
	"math"
	"math/rand"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
)

// Every vector kernel gives the same bits as its plain form on random and edge values, with separate rows and with the destination
// as a source.
func TestKernelTwins(t *testing.T) {
	if !simd.Best.Vector() {
		t.Skip("this build has plain kernels only")
	}
	rng := rand.New(rand.NewSource(7))
	// Every field of both sets; pointers let reflection read unexported fields.
	plain, twins := reflect.ValueOf(&goKernels).Elem(), reflect.ValueOf(kernelsFor(simd.Best)).Elem()
	field := func(set reflect.Value, i int) reflect.Value {
		f := set.Field(i)
		return reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()
	}
	without := 0
	for i := range plain.NumField() {
		name := plain.Type().Field(i).Name
		t.Run(name, func(t *testing.T) {
			f, g := field(plain, i), field(twins, i)
			require.False(t, f.IsNil(), "goKernels has no %s", name)
			require.False(t, g.IsNil(), "the vector set has no %s; it may be the one of goKernels", name)
			if f.Pointer() == g.Pointer() {
				without++
				return
			}
			for round := range 400 {
				compareTwins(t, rng, f, g, round)
			}
		})
	}
	if simd.Best.AVX2() {
		require.Equal(t, 2, without, "only copy and flush have no twin")
	}
}

var edges = []float32{0, 1, -1, inf(1), inf(-1), nan, math.Float32frombits(minNormalBits), -math.Float32frombits(minNormalBits),
	math.Float32frombits(overflowBits - 1<<7), -math.Float32frombits(overflowBits - 1<<7), 63.5, -62, -63, 126.9, 127, -127, 128, 1 << 31, -(1 << 31), 0x1p23, -0x1p22 - 0.5}

func randomRow(rng *rand.Rand) *Row {
	r := new(Row)
	edgy := rng.Intn(3) == 0
	for i := range r {
		switch {
		case edgy && rng.Intn(3) == 0:
			r[i] = edges[rng.Intn(len(edges))]
		case rng.Intn(4) == 0:
			r[i] = round24(math.Float32frombits(rng.Uint32()))
		default:
			r[i] = round24(float32(rng.NormFloat64() * 10))
		}
	}
	return r
}

// compareTwins calls both kernels with the same arguments.
func compareTwins(t *testing.T, rng *rand.Rand, f, g reflect.Value, round int) {
	n := 8 * (1 + rng.Intn(Lanes/8))
	typ := f.Type()
	a, b := make([]reflect.Value, typ.NumIn()), make([]reflect.Value, typ.NumIn())
	for i := range a {
		switch in := reflect.Zero(typ.In(i)).Interface().(type) {
		case *Row:
			r := randomRow(rng)
			s := *r
			if i > 0 && round%3 == 0 && typ.In(0) == typ.In(i) && rng.Intn(2) == 0 { // in place
				a[i], b[i] = a[0], b[0]
				continue
			}
			a[i], b[i] = reflect.ValueOf(r), reflect.ValueOf(&s)
		case *vec4:
			v := vec4(randomRow(rng)[:4])
			a[i], b[i] = reflect.ValueOf(&v), reflect.ValueOf(&v)
		case *[96]vec4:
			v := new([96]vec4)
			for j := range v {
				v[j] = vec4(randomRow(rng)[:4])
			}
			v[3][0] = math.Float32frombits(signBit)
			a[i], b[i] = reflect.ValueOf(v), reflect.ValueOf(v)
		case *[Lanes]int32:
			v := new([Lanes]int32)
			for j := range v {
				v[j] = int32(rng.Intn(60)) - 10
				if round%2 == 0 && rng.Intn(20) == 0 {
					v[j] = []int32{-128, -129, 127, 128, math.MinInt32, math.MaxInt32}[rng.Intn(6)]
				}
			}
			w := *v
			a[i], b[i] = reflect.ValueOf(v), reflect.ValueOf(&w)
		case float32:
			x := reflect.ValueOf(randomRow(rng)[0])
			a[i], b[i] = x, x
		case uint32:
			x := reflect.ValueOf(uint32(rng.Intn(4)) << 30 & signMask(typ))
			a[i], b[i] = x, x
		case uint64:
			x := reflect.ValueOf(rng.Uint64())
			a[i], b[i] = x, x
		case int:
			x := reflect.ValueOf(n)
			if i+1 < len(a) && typ.In(i+1) == typ.In(i) { // base, n
				x = reflect.ValueOf(rng.Intn(96))
			}
			a[i], b[i] = x, x
		default:
			t.Fatalf("argument of type %T", in)
		}
	}
	ra, rb := f.Call(a), g.Call(b)
	if len(ra) > 0 && ra[0].Kind() == reflect.Bool {
		if !rb[0].Bool() {
			return // left to plain Go
		}
		ra = nil
	}
	if len(ra) > 0 {
		require.Equal(t, ra[0].Interface(), rb[0].Interface())
	}
	for i := range a {
		if _, ok := a[i].Interface().(*vec4); ok {
			continue
		}
		if r, ok := a[i].Interface().(*Row); ok {
			s := b[i].Interface().(*Row)
			for l := range r {
				if math.Float32bits(r[l]) != math.Float32bits(s[l]) {
					t.Fatalf("argument %d, lane %d: plain %v (%08X), AVX2 %v (%08X), n = %d\n%s", i, l, r[l], math.Float32bits(r[l]), s[l], math.Float32bits(s[l]), n, describe(a, l))
				}
			}
		}
		if r, ok := a[i].Interface().(*[Lanes]int32); ok {
			require.Equal(t, r, b[i].Interface())
		}
	}
}

// signMask keeps the bits of a sign argument that the kernel uses: MAD with a row as third operand has two.
func signMask(typ reflect.Type) uint32 {
	rows := 0
	for i := range typ.NumIn() {
		if typ.In(i) == reflect.TypeFor[*Row]() {
			rows++
		}
	}
	if typ.NumIn() == 6 && (rows == 4 || rows == 3 && typ.In(2).Kind() == reflect.Float32) {
		return 3 << 30
	}
	return signBit
}

func describe(a []reflect.Value, lane int) string {
	s := ""
	for i := range a {
		if r, ok := a[i].Interface().(*Row); ok {
			s += fmt.Sprintf("argument %d: %v\n", i, r[lane])
		} else if a[i].Kind() != reflect.Pointer {
			s += fmt.Sprintf("argument %d: %v\n", i, a[i].Interface())
		}
	}
	return s
}

// Unary kernels agree for float24 numbers: every 61st, or all with -long.
func TestUnaryTwinsAllNumbers(t *testing.T) {
	if !simd.Best.Vector() {
		t.Skip("this build has plain kernels only")
	}
	step := uint32(61)
	if *long {
		step = 1
	}
	k := kernelsFor(simd.Best)
	for _, c := range []struct {
		name        string
		plain, twin func(d, a *Row, n int)
	}{{"rcp", goRcp, k.rcp}, {"rsq", goRsq, k.rsq}, {"flr", goFlr, k.flr}, {"ex2", goEx2, k.ex2}, {"lg2", goLg2, k.lg2}, {"clampLit", goClampLit, k.clampLit}} {
		var in, a, b Row
		for w := uint32(0); w < 1<<25; {
			for l := range in {
				in[l] = round24(math.Float32frombits(w << 7))
				w += step
			}
			c.plain(&a, &in, Lanes)
			c.twin(&b, &in, Lanes)
			for l := range a {
				if math.Float32bits(a[l]) != math.Float32bits(b[l]) {
					t.Fatalf("%s(%v): plain %v, vector %v", c.name, in[l], a[l], b[l])
				}
			}
		}
	}
}

var long = flag.Bool("long", false, "test with all numbers of float24")

// Each engine has its own choice of kernels.
func TestEnginesChooseTheirKernels(t *testing.T) {
	if !simd.Best.Vector() {
		t.Skip("no AVX2 here: there is one form of the kernels only")
	}
	calls := 0
	was := goKernels
	defer func() { goKernels = was }()
	goKernels.rsq = func(d, a *Row, n int) {
		calls++
		was.rsq(d, a, n)
	}
	s := skinning(t)
	best, plain := NewEngine(), NewEngine()
	plain.Kernels = simd.Plain
	b := new(Batch)
	require.NoError(t, best.RunVertices(s, b, Lanes))
	require.Zero(t, calls)
	require.NoError(t, plain.RunVertices(s, b, Lanes))
	require.NotZero(t, calls)
}
