package pica

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every value of every format up to 24 bits survives a round trip, except -0, which does not exist.
func TestFloatRoundTripExhaustive(t *testing.T) {
	for _, f := range []FloatFormat{Float24, Float20, Float16} {
		negZero := uint32(1) << (f.Exp + f.Man)
		for raw := range uint32(1) << f.width() {
			x := f.Decode(raw)
			if raw == negZero {
				require.Zero(t, math.Float32bits(x))
				continue
			}
			got := f.Encode(x)
			if x != x {
				require.True(t, got>>f.Man&(1<<f.Exp-1) == 1<<f.Exp-1 && got&(1<<f.Man-1) != 0, "NaN %#x became %#x", raw, got)
			} else if got != raw {
				t.Fatalf("float1.%d.%d %#x is %g, which is %#x", f.Exp, f.Man, raw, x, got)
			}
		}
	}
}

func TestPackFloat24(t *testing.T) {
	w := PackFloat24([4]float32{1, -1, 0.5, 136})
	require.Equal(t, []uint32{0x4610003E, 0x0000BF00, 0x003F0000}, w)
	require.Equal(t, [4]float32{1, -1, 0.5, 136}, UnpackFloat24(w[0], w[1], w[2]))
}

func TestFloatKnownValues(t *testing.T) {
	for _, c := range []struct {
		f    FloatFormat
		raw  uint32
		want float64
	}{
		{Float24, 0x3F0000, 1}, {Float24, 0xBF0000, -1}, {Float24, 0x3E0000, 0.5}, {Float24, 0x461000, 136},
		{Float24, 0x7F0000, math.Inf(1)}, {Float24, 0xFF0000, math.Inf(-1)}, {Float24, 0, 0},
		{Float24, 0x010000, 0x1p-62}, {Float24, 0x000001, 0x1p-78},
		{Float31, 0x3F << 23, 1}, {Float20, 0x3F000, 1}, {Float20, 0x40000, 2},
		{Float16, 0x3C00, 1}, {Float16, 0xC000, -2}, {Float16, 0x7BFF, 65504}, {Float16, 0x0001, 0x1p-24},
	} {
		require.Equal(t, float32(c.want), c.f.Decode(c.raw), "%#x", c.raw)
		require.Equal(t, c.raw, c.f.Encode(float32(c.want)), "%g", c.want)
	}
}

// Encode rounds towards zero.
func TestFloatEncodeTruncates(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, f := range []FloatFormat{Float31, Float24, Float20, Float16} {
		for range 200000 {
			x := math.Float32frombits(rng.Uint32())
			if x != x {
				continue
			}
			raw := f.Encode(x)
			y := f.Decode(raw)
			ax, ay := math.Abs(float64(x)), math.Abs(float64(y))
			if math.IsInf(ay, 0) {
				greatest := f.Decode(uint32(1<<f.Exp-1)<<f.Man - 1)
				if ax <= float64(greatest) {
					t.Fatalf("%g became infinite, and the greatest number is %g", x, greatest)
				}
				continue
			}
			if up := f.Decode(raw + 1); ay > ax || math.Abs(float64(up)) <= ax || y != 0 && (y < 0) != (x < 0) {
				t.Fatalf("%g became %g; the next is %g", x, y, up)
			}
		}
	}
}

func TestFixedRoundTripExhaustive(t *testing.T) {
	for _, f := range []FixedFormat{FixedS4_8, FixedS3_12, FixedS1_11, FixedS0_11, Fixed0_11, Fixed0_12, Fixed0_23, Fixed16_8, FixedS12_4} {
		for raw := range uint32(1) << f.width() {
			if got := f.Encode(f.Decode(raw)); got != raw {
				t.Fatalf("%+v: %#x became %#x", f, raw, got)
			}
		}
	}
}

func TestFixedKnownValues(t *testing.T) {
	for _, c := range []struct {
		f    FixedFormat
		x    float32
		want uint32
	}{
		{FixedS4_8, -1, 0x1F00}, {FixedS4_8, 15.999, 0xFFF}, {FixedS4_8, 100, 0xFFF}, {FixedS4_8, -100, 0x1000},
		{FixedS1_11, 1, 0x800}, {FixedS1_11, -1, 0x1800}, {FixedS1_11, -0.0001, 0},
		{Fixed0_12, 0.5, 0x800}, {Fixed0_12, 1, 0xFFF}, {Fixed0_12, -1, 0},
		{FixedS3_12, 0.5, 0x800}, {Fixed16_8, 1.5, 0x180},
		{FixedS12_4, -0.5, 0x1FFF8},
		{Fixed0_12, float32(math.NaN()), 0}, {FixedS4_8, float32(math.Inf(1)), 0xFFF}, {FixedS4_8, float32(math.Inf(-1)), 0x1000},
	} {
		require.Equal(t, c.want, c.f.Encode(c.x), "%+v %g", c.f, c.x)
	}
}

func TestTypeEncode(t *testing.T) {
	require.EqualValues(t, 255, TypeUnorm8.Encode(1, 8))
	for n := range uint32(256) {
		require.Equal(t, n, TypeUnorm8.Encode(TypeUnorm8.Decode(n, 8), 8))
	}
	require.EqualValues(t, 127, TypeUnorm8.Encode(0.5, 8))
	require.EqualValues(t, 0, TypeUnorm8.Encode(-3, 8))
	require.EqualValues(t, 0x3FF, TypeSigned.Encode(-1, 10))
	require.EqualValues(t, 0x1FF, TypeSigned.Encode(1e9, 10))
	require.EqualValues(t, 7, TypeUnsigned.Encode(9, 3))
	require.EqualValues(t, uint32(0xFFFFFFFF), TypeUnsigned.Encode(1e12, 32))
	require.Equal(t, float32(-1), TypeSigned.Decode(0x3FF, 10))
	for typ := range numTypes {
		require.NotEmpty(t, typ.String())
	}
	require.Equal(t, "invalid", numTypes.String())
}

// A value prints as its name in the table of its type, or as a number without one.
func TestEnumStrings(t *testing.T) {
	for _, c := range []struct {
		enum *Enum
		of   func(v uint32) fmt.Stringer
	}{
		{FragmentModes, func(v uint32) fmt.Stringer { return FragmentMode(v) }},
		{BlendModes, func(v uint32) fmt.Stringer { return BlendMode(v) }},
		{BlendEquations, func(v uint32) fmt.Stringer { return BlendEquation(v) }},
		{BlendFactors, func(v uint32) fmt.Stringer { return BlendFactor(v) }},
		{LogicOps, func(v uint32) fmt.Stringer { return LogicOp(v) }},
		{CompareFuncs, func(v uint32) fmt.Stringer { return CompareFunc(v) }},
		{StencilOps, func(v uint32) fmt.Stringer { return StencilOp(v) }},
		{DepthFormats, func(v uint32) fmt.Stringer { return DepthFormat(v) }},
		{ColorFormats, func(v uint32) fmt.Stringer { return ColorFormat(v) }},
		{PixelSizes, func(v uint32) fmt.Stringer { return PixelSize(v) }},
		{GasDepthFuncs, func(v uint32) fmt.Stringer { return GasDepthFunc(v) }},
		{GasLutInputs, func(v uint32) fmt.Stringer { return GasLutInput(v) }},
		{AttribTypes, func(v uint32) fmt.Stringer { return AttribType(v) }},
		{Components, func(v uint32) fmt.Stringer { return Component(v) }},
		{IndexTypes, func(v uint32) fmt.Stringer { return IndexType(v) }},
		{GeoStages, func(v uint32) fmt.Stringer { return GeoStage(v) }},
		{GeometryModes, func(v uint32) fmt.Stringer { return GeometryMode(v) }},
		{ShaderModes, func(v uint32) fmt.Stringer { return ShaderMode(v) }},
		{UniformFormats, func(v uint32) fmt.Stringer { return UniformFormat(v) }},
		{LightTypes, func(v uint32) fmt.Stringer { return LightType(v) }},
		{Fresnels, func(v uint32) fmt.Stringer { return Fresnel(v) }},
		{LightLayers, func(v uint32) fmt.Stringer { return LightLayer(v) }},
		{BumpModes, func(v uint32) fmt.Stringer { return BumpMode(v) }},
		{LutInputs, func(v uint32) fmt.Stringer { return LutInput(v) }},
		{LutScales, func(v uint32) fmt.Stringer { return LutScale(v) }},
		{LightTables, func(v uint32) fmt.Stringer { return LightTable(v) }},
		{CullModes, func(v uint32) fmt.Stringer { return CullMode(v) }},
		{ScissorModes, func(v uint32) fmt.Stringer { return ScissorMode(v) }},
		{DepthModes, func(v uint32) fmt.Stringer { return DepthMode(v) }},
		{EarlyDepthFuncs, func(v uint32) fmt.Stringer { return EarlyDepthFunc(v) }},
		{PrimitiveModes, func(v uint32) fmt.Stringer { return PrimitiveMode(v) }},
		{Sources, func(v uint32) fmt.Stringer { return Source(v) }},
		{OperandRGBs, func(v uint32) fmt.Stringer { return OperandRGB(v) }},
		{OperandAlphas, func(v uint32) fmt.Stringer { return OperandAlpha(v) }},
		{Combines, func(v uint32) fmt.Stringer { return Combine(v) }},
		{Scales, func(v uint32) fmt.Stringer { return Scale(v) }},
		{FogModes, func(v uint32) fmt.Stringer { return FogMode(v) }},
		{GasDensities, func(v uint32) fmt.Stringer { return GasDensity(v) }},
		{TextureFormats, func(v uint32) fmt.Stringer { return TextureFormat(v) }},
		{TextureTypes, func(v uint32) fmt.Stringer { return TextureType(v) }},
		{Wraps, func(v uint32) fmt.Stringer { return Wrap(v) }},
		{Filters, func(v uint32) fmt.Stringer { return Filter(v) }},
		{Texcoord3s, func(v uint32) fmt.Stringer { return Texcoord3(v) }},
		{Texcoord2s, func(v uint32) fmt.Stringer { return Texcoord2(v) }},
		{ProcClamps, func(v uint32) fmt.Stringer { return ProcClamp(v) }},
		{ProcMaps, func(v uint32) fmt.Stringer { return ProcMap(v) }},
		{ProcShifts, func(v uint32) fmt.Stringer { return ProcShift(v) }},
		{ProcFilters, func(v uint32) fmt.Stringer { return ProcFilter(v) }},
		{ProcTables, func(v uint32) fmt.Stringer { return ProcTable(v) }},
		{ScreenFormats, func(v uint32) fmt.Stringer { return ScreenFormat(v) }},
		{FillWidths, func(v uint32) fmt.Stringer { return FillWidth(v) }},
		{TransferScales, func(v uint32) fmt.Stringer { return TransferScale(v) }},
		{Interlaces, func(v uint32) fmt.Stringer { return Interlace(v) }},
		{Semantics, func(v uint32) fmt.Stringer { return Semantic(v) }},
	} {
		for v := range uint32(20) {
			require.Equal(t, c.enum.Format(v), c.of(v).String(), "%T, %d", c.of(0), v)
		}
		require.NotEqual(t, c.of(0).String(), c.of(1).String(), "%T", c.of(0))
	}
}

// LoadPlanes and StorePlanes agree with the conversion of single pixels for every 16-bit format; pixels outside the mask are kept.
func TestPlanesEqualSinglePixels(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	for _, f := range []ColorFormat{ColorFormatRGB5A1, ColorFormatRGB565, ColorFormatRGBA4} {
		for range 200 {
			src := make([]byte, 32)
			for i := range src {
				src[i] = byte(rng.Uint32())
			}
			var r, g, b, a [16]uint8
			f.LoadPlanes(src, &r, &g, &b, &a)
			want := make([]uint32, 16)
			f.Decode(want, src)
			for i, c := range want {
				require.Equal(t, c, uint32(r[i])|uint32(g[i])<<8|uint32(b[i])<<16|uint32(a[i])<<24, "%v, pixel %d", f, i)
			}
			mask := uint16(rng.Uint32())
			dst, kept := make([]byte, 32), make([]byte, 32)
			for i := range dst {
				dst[i] = byte(rng.Uint32())
			}
			copy(kept, dst)
			f.StorePlanes(dst, mask, &r, &g, &b, &a)
			for i := range 16 {
				want := kept
				if mask>>i&1 != 0 {
					want = src
				}
				require.Equal(t, binary.LittleEndian.Uint16(want[2*i:]), binary.LittleEndian.Uint16(dst[2*i:]), "%v, pixel %d", f, i)
			}
		}
	}
}

// A layout has positions for the added components, in order, and for no others.
func TestVertexLayoutPlaces(t *testing.T) {
	var l VertexLayout
	for _, s := range []Semantic{SemColorG, SemTexCoord0U, SemColorG, NumSemantics, 255} {
		l.Add(s)
	}
	require.Equal(t, 2, l.N)
	require.Equal(t, []int{0, 1, -1, -1, -1}, []int{l.Index(SemColorG), l.Index(SemTexCoord0U), l.Index(SemColorR), l.Index(NumSemantics), l.Index(255)})
}

// Each pixel size has its own name.
func TestPixelSizeNames(t *testing.T) {
	names := map[string]bool{}
	for _, s := range []PixelSize{0, 1, 2} {
		names[s.String()] = true
	}
	require.Len(t, names, 3)
	require.NotContains(t, names, "")
}
