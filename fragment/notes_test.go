package fragment

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/explain/rows"
	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
	"pica200/tests/testkit"
)

// records draws a scene and returns the records of a pixel's fragments.
func (s *fieldScene) records(t *testing.T, x, y int32) (all []*Record) {
	t.Helper()
	all = testkit.Must(s.tryRecords(x, y))(t)
	return all
}

func (s *fieldScene) tryRecords(x, y int32) (all []*Record, err error) {
	e := NewEngine(1)
	e.Watch(&Probe{X: x, Y: y, Seen: func(r *Record) { all = append(all, r) }})
	err = s.clone().draw(e, ViewFinal, &raster.Rect{X0: x, Y0: y, X1: x, Y1: y})
	return all, err
}

// Golden file: the records of two pixels of every scene as text, and checksums of more pixels as text and JSON.
func TestRecordTexts(t *testing.T) {
	var b bytes.Buffer
	for _, sc := range fieldScenes {
		s := newFieldScene(sc.setup)
		for _, at := range [][2]int32{{5, 9}, {13, 2}} {
			for _, r := range s.records(t, at[0], at[1]) {
				fmt.Fprintf(&b, "%s, pixel %d,%d\n", sc.name, at[0], at[1])
				rows.WriteText(&b, r.Rows, 1)
			}
		}
		sum := fnv.New32a()
		for i := range int32(6) {
			for _, r := range s.records(t, i*13%sceneSize, i*i%sceneSize) {
				rows.WriteText(sum, r.Rows, 0)
				require.NoError(t, json.NewEncoder(sum).Encode(rows.Document(r.Rows)))
			}
		}
		fmt.Fprintf(&b, "%s, more pixels %08x\n", sc.name, sum.Sum32())
	}
	testkit.Golden(t, "testdata/records.txt", b.Bytes())
}

// Golden file: checksums of picture, records (text and JSON) and warnings of every scene, with random combiners and some flipped
// register bits.
func TestRecordsOfRandomStates(t *testing.T) {
	functions := uint32(pica.Combines.Len())
	var b bytes.Buffer
	for n, sc := range fieldScenes {
		rng := rand.New(rand.NewPCG(uint64(n), 77))
		fmt.Fprintf(&b, "%s:", sc.name)
		for variant := range 8 {
			s := newFieldScene(sc.setup)
			for i := range numStages {
				at := pica.TexenvOffset(i)
				for _, reg := range []pica.Reg{pica.RegTexenv0Source, pica.RegTexenv0Operand, pica.RegTexenv0Scale} {
					if variant%2 == 0 || rng.IntN(3) == 0 {
						s.regs[reg+at] = rng.Uint32() & 0x0FFF0FFF
					}
				}
				s.regs[pica.RegTexenv0Combiner+at] = rng.Uint32N(functions)<<16 | rng.Uint32N(functions)
				s.regs[pica.RegTexenv0Color+at] = rng.Uint32()
			}
			s.regs[pica.RegTexenvUpdateBuffer] ^= rng.Uint32() & 0xFF00
			for range variant {
				reg := pica.Reg(0x080 + rng.IntN(0x160))
				if s.regs[reg] != 0 && (reg < pica.RegColorbufferRead || reg > pica.RegFramebufferDim) {
					s.regs[reg] ^= 1 << rng.IntN(32)
				}
			}
			sum := fnv.New32a()
			drawn, err := s.render()
			if err != nil {
				fmt.Fprintf(&b, " %v;", err)
				continue
			}
			sum.Write(drawn)
			fmt.Fprintln(sum, s.warnings)
			for i := range int32(3) {
				for _, r := range s.records(t, (5+i*13)%sceneSize, (9+i*3)%sceneSize) {
					rows.WriteText(sum, r.Rows, 0)
					require.NoError(t, json.NewEncoder(sum).Encode(rows.Document(r.Rows)))
				}
			}
			fmt.Fprintf(&b, " %08x", sum.Sum32())
		}
		fmt.Fprintln(&b)
	}
	testkit.Golden(t, "testdata/random.txt", b.Bytes())
}

// Golden file: the records for every value of each small field, in the scene that shows the field.
func TestRecordsOfEveryValue(t *testing.T) {
	scenes := map[string]*fieldScene{}
	for _, sc := range fieldScenes {
		scenes[sc.name] = newFieldScene(sc.setup)
	}
	var b bytes.Buffer
	for _, reg := range pica.Registers {
		for _, f := range reg.Fields {
			scene, silent := sceneOf(reg, f)
			if reg.Reg < firstStateReg || reg.Reg >= endStateReg || silent || f.Bits > 4 || f.Enum == nil && f.Bits > 1 {
				continue
			}
			s := scenes[scene]
			sum, said, old := fnv.New32a(), 0, s.regs[reg.Reg]
			for v := range f.Max() + 1 {
				s.regs[reg.Reg] = f.Put(old, v)
				list, err := s.tryRecords(5, 9)
				fmt.Fprintln(sum, v, err)
				for _, r := range list {
					said++
					rows.WriteText(sum, r.Rows, 0)
				}
			}
			s.regs[reg.Reg] = old
			fmt.Fprintf(&b, "%v in %s: %d records, %08x\n", f, scene, said, sum.Sum32())
		}
	}
	testkit.Golden(t, "testdata/values.txt", b.Bytes())
}

// Each result in a record follows from its inputs in the record, computed in float64 without kernels.
func TestRecordsAddUp(t *testing.T) {
	for _, sc := range fieldScenes {
		t.Run(sc.name, func(t *testing.T) {
			seen := map[string]int{}
			for _, with := range []simd.Kernels{simd.Best, simd.Plain} {
				s := newFieldScene(sc.setup)
				s.with = with
				for i := range int32(24) {
					for _, r := range s.records(t, i*7%sceneSize, i*5%sceneSize) {
						addsUp(t, s, r.told(t), seen)
					}
				}
			}
			t.Log(seen)
			for _, want := range recorded[sc.name] {
				require.Positive(t, seen[want], "no record with %s", want)
			}
		})
	}
}

// recorded lists the kinds of records that each scene must have.
var recorded = map[string][]string{
	"textures": {"sample", "border", "combiner"}, "mipmaps": {"lod", "two levels"}, "filters": {"lod"}, "cube": {"face"}, "projection": {"sample"},
	"shadow-texture": {"shadow"}, "shadow-cube": {"shadow", "face"}, "proctex": {"proctex"}, "combiners": {"combiner"},
	"combiner-buffer": {"buffer"}, "fog": {"fog"}, "gas-accumulate": {"gas write"}, "gas-shade": {"gas"}, "shadow-write": {"shadow write"},
	"blend": {"blend"}, "logic-op": {"logic"}, "alpha-test": {"alpha test"}, "depth-stencil": {"depth test", "stencil test"},
	"lights": {"light", "table"}, "lights-shadow": {"light shadow"}, "lights-bump": {"bump"}, "lights-tangent": {"tangent"},
}

func addsUp(t *testing.T, s *fieldScene, r *told, seen map[string]int) {
	t.Helper()
	for u := range r.Units {
		unitAddsUp(t, s, &r.Units[u], seen)
	}
	if r.Light != nil {
		lightAddsUp(t, s, r, seen)
	}
	for _, c := range r.Combiners {
		seen["combiner"]++
		if strings.Contains(c.RGB.Equation, "buffer") {
			seen["buffer"]++
		}
		require.Equal(t, r.Stages[c.Stage], c.Result)
		for k, h := range []*CombineRecord{&c.RGB, &c.Alpha} {
			from := red
			if k == 1 {
				from = alpha
			}
			for i, got := range h.Result {
				require.EqualValues(t, c.Result[from+i], got)
				require.Equal(t, combined(t, h, i), got, "stage %d: %s", c.Stage, h.Equation)
			}
		}
	}
	specialAddsUp(t, r, seen)
	for _, test := range r.Tests {
		seen[test.Test+" test"]++
		mask := uint32(0xFFFFFFFF)
		if test.Test == "stencil" {
			mask = test.Mask
		}
		f, ok := pica.CompareFuncs.Lookup(test.Func)
		require.True(t, ok, test.Func)
		require.Equal(t, refCompare(pica.CompareFunc(f), int(test.Fragment&mask), int(test.Other&mask)), test.Passed, "%+v", test)
	}
	if b := r.Blend; b != nil {
		seen[b.Mode]++
		require.Equal(t, r.Color, b.Source)
		for ch, v := range b.Result {
			want := r.Before.Color[ch]
			if b.Mask[ch] {
				want = v
			}
			require.Equal(t, want, r.After.Color[ch], "an RGBA8 target has the written colour")
		}
		if b.Mode == "blend" {
			for ch := range 4 {
				h, i := b.RGB, ch
				if ch == alpha {
					h, i = b.Alpha, 0
				}
				p, q := int(b.Source[ch])*h.Factors[0][i], int(b.Dest[ch])*h.Factors[1][i]
				v := map[string]int{"add": p + q, "subtract": p - q, "reverse_subtract": q - p, "min": min(p, q), "max": max(p, q)}[h.Equation]
				require.EqualValues(t, min((max(v, 0)+127)/255, 255), b.Result[ch], "%s", h.Text)
			}
		}
	}
	require.Equal(t, r.Outcome != Written, len(r.Tests) > 0 && !r.Tests[len(r.Tests)-1].Passed || r.ShadowWrite != nil && !r.ShadowWrite.Nearer)
}

func unitAddsUp(t *testing.T, s *fieldScene, u *UnitRecord, seen map[string]int) {
	for _, sample := range u.Samples {
		seen["sample"]++
		if u.Face != "" {
			seen["face"]++
		}
		sum, light := float64(0), float64(0)
		var mixed [4]float64
		for _, x := range sample.Texels {
			sum += float64(x.Weight)
			if u.Shadow != nil {
				require.Equal(t, x.Depth >= u.Shadow.Reference, x.Passed)
			}
			if x.Passed {
				light += float64(x.Weight) * float64(x.Intensity)
			}
			for ch := range mixed {
				mixed[ch] += float64(x.Weight) * float64(x.Color[ch])
			}
			if x.Border {
				seen["border"]++
				continue
			}
			if u.Format == pica.TextureFormatRGBA8.String() {
				b := s.memory[x.Address-sceneMemoff:]
				require.Equal(t, [4]uint8{b[3], b[2], b[1], b[0]}, x.Color, "the texel equals the bytes at its address")
			}
		}
		require.Equal(t, 1.0, sum)
		if u.Shadow == nil {
			for ch := range mixed {
				require.InDelta(t, mixed[ch], sample.Color[ch], 1.01, "the mixed colour, within two roundings")
			}
			continue
		}
		seen["shadow"]++
		require.InDelta(t, light, u.Shadow.Light, 0.51)
		require.Equal(t, [4]uint8{u.Shadow.Light, u.Shadow.Light, u.Shadow.Light, u.Shadow.Light}, u.Color)
		require.EqualValues(t, max(int64(math.Min(math.Abs(float64(u.Shadow.W)), 1)*shadowDepthOne)-int64(u.Shadow.Bias), 0), u.Shadow.Reference)
	}
	if u.Lod != nil {
		seen["lod"]++
	}
	switch {
	case u.ProcTex != nil:
		seen["proctex"]++
		procTexAddsUp(t, s, u)
	case u.Shadow != nil:
	case len(u.Samples) == 1:
		require.Equal(t, u.Samples[0].Color, u.Color)
	case len(u.Samples) == 2:
		seen["two levels"]++
		a, b := u.Samples[0], u.Samples[1]
		require.Equal(t, 256, a.Share+b.Share)
		for ch := range u.Color {
			require.EqualValues(t, (int(a.Color[ch])*a.Share+int(b.Color[ch])*b.Share+128)>>8, u.Color[ch])
		}
	}
}

func lightAddsUp(t *testing.T, s *fieldScene, r *told, seen map[string]int) {
	l := r.Light
	seen["light"]++
	normal := vec3{0, 0, 1}
	if l.Bump != nil {
		seen["bump"]++
		if l.Bump.Mode == pica.BumpNormal.String() {
			normal = vec3{float64(l.Bump.Vector[0]), float64(l.Bump.Vector[1]), float64(l.Bump.Vector[2])}
		}
	}
	if l.Tangent != nil {
		seen["tangent"]++
	}
	near := func(want float64, got Float, what string) {
		require.InDelta(t, want, float64(got), 2e-5*math.Max(1, math.Abs(want)), what)
	}
	v := func(x [3]Float) vec3 { return vec3{float64(x[0]), float64(x[1]), float64(x[2])} }
	q := l.Quaternion
	for k, want := range refRotate([4]float64{float64(q[0]), float64(q[1]), float64(q[2]), float64(q[3])}, normal) {
		near(want, l.Normal[k], "normal")
	}
	primary, secondary := v(l.Ambient), vec3{}
	shadow := vec3{1, 1, 1}
	if l.Shadow != nil {
		seen["light shadow"]++
		shadow = vec3{float64(l.Shadow[0]), float64(l.Shadow[1]), float64(l.Shadow[2])}
	}
	for _, light := range l.Lights {
		near(v(light.L).dot(v(l.Normal)), light.LN, "L.N")
		if light.H != [3]Float{} {
			near(1, Float(v(light.H).dot(v(light.H))), "H is a unit vector")
			half := v(light.L).add(v(l.View))
			near(half.dot(half), light.HalfSquare, "H")
		}
		for _, table := range light.Tables {
			seen["table"]++
			near(float64(table.Scale)*(float64(table.Value)+float64(table.Difference)*float64(table.Fraction)), table.Result, table.Table)
			at := 256 * refClamp(float64(table.Input), 0, 1)
			for k := range lightTable(numLightTables) {
				if k.String() == table.Table && fieldsSigned[k].Bool(&s.regs) {
					at = math.Mod(128*refClamp(float64(table.Input), -1, 1)+256, 256)
				}
			}
			require.InDelta(t, at, float64(table.Index)+float64(table.Fraction), 0.01, table.Table)
			want := map[string]float64{
				"nh": v(l.Normal).dot(v(light.H)), "vh": v(l.View).dot(v(light.H)), "nv": v(l.Normal).dot(v(l.View)), "ln": v(light.L).dot(v(l.Normal)),
				"sp": v(light.L).dot(v(light.Spot)),
			}
			if w, ok := want[table.Dot]; ok {
				near(w, table.X, table.Dot)
			}
		}
		for k := range 3 {
			sp, ss := 1.0, 1.0
			if light.Shadowed[0] {
				sp = shadow[k]
			}
			if light.Shadowed[1] {
				ss = shadow[k]
			}
			p := (float64(light.Diffuse[k])*float64(light.Lit)*sp + float64(light.Ambient[k])) * float64(light.Attenuation)
			near(p, light.Primary[k], "primary")
			primary[k] += p
			d := float64(light.Specular[0][k])*float64(light.D[0]) + float64(light.Specular[1][k])*float64(light.D[1])*float64(light.Reflection[k])
			near(d*float64(light.Factor)*ss, light.Secondary[k], "secondary")
			secondary[k] += d * float64(light.Factor) * ss
		}
	}
	for k := range 3 {
		near(primary[k], l.Primary[k], "primary sum")
		near(secondary[k], l.Secondary[k], "secondary sum")
	}
	for k := range 4 {
		require.EqualValues(t, int(refByte(float64(l.Primary[k]))), r.Lighting[0][k])
		require.EqualValues(t, int(refByte(float64(l.Secondary[k]))), r.Lighting[1][k])
	}
}

// combined computes channel i of the colour or alpha part of a combiner stage.
func combined(t *testing.T, c *CombineRecord, i int) int {
	var v [3]int
	for j := range c.Operands {
		v[j] = c.Operands[j].Value[i]
	}
	f, ok := pica.Combines.Lookup(c.Function)
	require.True(t, ok, c.Function)
	x := v[0] // a dot product of alpha alone passes its operand on
	switch {
	case pica.Combine(f) < pica.CombineDot3RGB || pica.Combine(f) > pica.CombineDot3RGBA:
		x = refCombine(pica.Combine(f), v[0], v[1], v[2])
	case len(c.Operands) == 2:
		x = 0
		for k := range 3 {
			x += refDot3(c.Operands[0].Value[k], c.Operands[1].Value[k])
		}
	}
	return min(max(x, 0)*c.Scale, 255)
}

func specialAddsUp(t *testing.T, r *told, seen map[string]int) {
	entry := func(e *entry) float64 {
		require.InDelta(t, 128*refClamp(float64(e.Input), 0, 1), float64(e.Index)+float64(e.Fraction), 1e-3)
		return math.Min(math.Max(float64(e.Value)+float64(e.Difference)*float64(e.Fraction), 0), 1)
	}
	if f := r.Fog; f != nil {
		seen["fog"]++
		require.InDelta(t, entry(&f.entry), float64(f.Factor), 1e-6)
		for ch := range 3 {
			want := float64(f.Factor)*float64(f.Before[ch]) + (1-float64(f.Factor))*float64(f.Color[ch])
			require.InDelta(t, want, f.After[ch], 0.51)
			require.Equal(t, r.Color[ch], f.After[ch])
		}
	}
	if g := r.Gas; g != nil {
		seen["gas"]++
		require.EqualValues(t, int(entry(&g.AlphaEntry)*255), g.Alpha)
		require.Equal(t, r.Color, g.Color)
		for i := range g.Density { // the bytes of the texel, from the last
			require.EqualValues(t, halfToFloat(uint16(g.Texel[3-2*i])<<8|uint16(g.Texel[2-2*i])), g.Density[i])
		}
		x := float64(g.Density[0])
		if g.ByDepth {
			x = float64(g.Density[1])
		}
		x *= float64(g.Scale)
		require.InDelta(t, x, float64(g.Scaled), 1e-5)
		if l := g.Light; l != nil {
			a := float64(l.Planar) / 255 * (1 - float64(l.XYAtt)*x)
			b := float64(l.ZEff) * (1 - float64(l.ZAtt)*x)
			x = float64(l.XYMax)*a + float64(l.XYMin)*(1-a) + float64(l.ZMax)*b + float64(l.ZMin)*(1-b)
			require.InDelta(t, x, float64(l.Result), 1e-5)
		}
		require.InDelta(t, x, float64(g.Entry.Input), 1e-5)
		require.InDelta(t, 8*refClamp(x, 0, 1), float64(g.Entry.Index)+float64(g.Entry.Fraction), 1e-4)
		for ch := range 3 {
			want := refByte(float64(g.Value[ch]) + float64(g.Difference[ch])*float64(g.Entry.Fraction))
			require.InDelta(t, want-0.5, g.Color[ch], 0.51)
		}
	}
	if g := r.GasWrite; g != nil {
		seen["gas write"]++
		x := float64(g.Density) / 255
		require.InDelta(t, float64(g.Before[0])+x, float64(g.After[0]), 1e-2*float64(g.After[0]))
		require.InDelta(t, float64(g.Before[1])+x*float64(g.Factor), float64(g.After[1]), 1e-2*math.Abs(float64(g.After[1])))
	}
	if s := r.ShadowWrite; s != nil {
		seen["shadow write"]++
		require.Equal(t, s.Depth < s.Old, s.Nearer)
		switch {
		case !s.Nearer:
			require.Equal(t, r.Before, r.After)
		case s.Intensity == 0:
			require.EqualValues(t, s.Depth, packColor(r.After.Color)>>8)
		default:
			want := float64(s.Intensity) / (float64(s.Penumbra[0]) + float64(s.Penumbra[1])*float64(s.Ratio))
			require.EqualValues(t, min(float64(s.Before), math.Trunc(math.Min(math.Max(want, 0), 255))), s.After)
		}
	}
}

// Texels lie in Morton order in tiles of 8x8, compressed blocks in the order of their pixels.
func TestTexelOffset(t *testing.T) {
	const w, h = 32, 16
	for f, want := range map[pica.TextureFormat][4]uint32{
		pica.TextureFormatRGBA8: {0, 228, 484, 1508}, pica.TextureFormatRGB8: {0, 171, 363, 1131}, pica.TextureFormatRGB565: {0, 114, 242, 754},
		pica.TextureFormatI8: {0, 57, 121, 377}, pica.TextureFormatI4: {0, 28, 60, 188},
		pica.TextureFormatETC1: {0, 24, 56, 184}, pica.TextureFormatETC1A4: {0, 48, 112, 368},
	} {
		for i, at := range [][2]int32{{0, 0}, {5, 6}, {13, 6}, {13, 14}} {
			require.Equal(t, want[i], texelOffset(f, w, h, at[0], h-1-at[1]), "%v at %v", f, at)
		}
	}
}
