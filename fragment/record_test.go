package fragment

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
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

// Texts of records, from package explain, which imports this one: explained_test.go sets them.
var (
	TextOf      func(*Record) []rows.Row
	CombinersOf func(*pica.Regs) ([]rows.Row, error)
)

// told writes a record as text and as JSON.
func told(t *testing.T, w io.Writer, r *Record) {
	t.Helper()
	list := TextOf(r)
	rows.Walk(list, func(row *rows.Row, _ int) bool {
		line := row.Line()
		require.NotContains(t, line, "<nil>", "every name in a form is a value of its row: %+v", row)
		require.NotContains(t, line, "%!", "every value fits its format: %+v", row)
		return true
	})
	rows.WriteText(w, list, 0)
	require.NoError(t, json.NewEncoder(w).Encode(rows.Document(list)))
}

// Golden file: the records of two pixels of every scene as text, and checksums of more pixels as text and JSON.
func TestRecordTexts(t *testing.T) {
	var b bytes.Buffer
	for _, sc := range fieldScenes {
		s := newFieldScene(sc.setup)
		for _, at := range [][2]int32{{5, 9}, {13, 2}} {
			for _, r := range s.records(t, at[0], at[1]) {
				fmt.Fprintf(&b, "%s, pixel %d,%d\n", sc.name, at[0], at[1])
				rows.WriteText(&b, TextOf(r), 1)
			}
		}
		sum := fnv.New32a()
		for i := range int32(6) {
			for _, r := range s.records(t, i*13%sceneSize, i*i%sceneSize) {
				told(t, sum, r)
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
					told(t, sum, r)
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
					rows.WriteText(sum, TextOf(r), 0)
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
						addsUp(t, s, r, seen)
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

func addsUp(t *testing.T, s *fieldScene, r *Record, seen map[string]int) {
	t.Helper()
	for u := range r.Units {
		unitAddsUp(t, s, &r.Units[u], seen)
	}
	if r.Lighting != nil && r.Lighting.Enabled {
		lightAddsUp(t, s, r.Lighting, seen)
	}
	for i := range r.Stages {
		st := &r.Stages[i]
		seen["combiner"]++
		for half := range 2 {
			if i > 1 && st.Source[half][0] == pica.SourcePreviousBuffer {
				seen["buffer"]++
			}
		}
		for ch, got := range st.Result {
			require.Equal(t, combined(st, ch), int(got), "stage %d, channel %d: %+v", i, ch, st)
		}
	}
	specialAddsUp(t, r, seen)
	for _, test := range r.Tests {
		seen[test.Failed.name()]++
		mask := uint32(0xFFFFFFFF)
		if test.Failed == StencilFailed {
			mask = test.Mask
		}
		require.Equal(t, refCompare(test.Func, int(test.Fragment&mask), int(test.Other&mask)), test.Passed, "%+v", test)
	}
	if b := r.Blend; b != nil {
		seen[[...]string{"replace", "blend", "logic"}[b.Mode]]++
		require.Equal(t, r.Color, b.Source)
		for ch, v := range b.Result {
			want := r.Before.Color[ch]
			if b.Mask[ch] {
				want = v
			}
			require.Equal(t, want, r.After.Color[ch], "an RGBA8 target has the written colour")
		}
		if b.Mode == BlendBlend {
			for ch := range 4 {
				h := b.Halves[ch/3]
				p, q := int(b.Source[ch])*int(b.Factors[0][ch]), int(b.Dest[ch])*int(b.Factors[1][ch])
				v := map[pica.BlendEquation]int{pica.BlendAdd: p + q, pica.BlendSubtract: p - q, pica.BlendReverseSubtract: q - p,
					pica.BlendMin: min(p, q), pica.BlendMax: max(p, q)}[h.Equation]
				require.EqualValues(t, min((max(v, 0)+127)/255, 255), b.Result[ch], "%+v", b)
			}
		}
	}
	require.Equal(t, r.Outcome != Written, len(r.Tests) > 0 && !r.Tests[len(r.Tests)-1].Passed || r.ShadowWrite != nil && !r.ShadowWrite.Nearer)
}

// name is the name of a test by the outcome of fragments that fail it.
func (o Outcome) name() string {
	return map[Outcome]string{AlphaFailed: "alpha test", StencilFailed: "stencil test", DepthFailed: "depth test"}[o]
}

func unitAddsUp(t *testing.T, s *fieldScene, unit *UnitRecord, seen map[string]int) {
	if unit.Procedural != nil {
		seen["proctex"]++
		procTexAddsUp(t, s, unit)
	}
	u := unit.Texture
	if u == nil {
		return
	}
	for _, sample := range u.Samples {
		seen["sample"]++
		if u.Kind == pica.TextureCube || u.Kind == pica.TextureShadowCube {
			seen["face"]++
		}
		sum, light := float64(0), float64(0)
		var mixed [4]float64
		for _, x := range sample.Texels {
			sum += float64(x.Weight)
			if u.Shadow != nil && packColor(x.Color)>>8 >= u.Shadow.Reference {
				light += float64(x.Weight) * float64(x.Color[0])
			}
			for ch := range mixed {
				mixed[ch] += float64(x.Weight) * float64(x.Color[ch])
			}
			if x.Border {
				seen["border"]++
				continue
			}
			if u.Format == pica.TextureFormatRGBA8 {
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
		require.Equal(t, [4]uint8{u.Shadow.Light, u.Shadow.Light, u.Shadow.Light, u.Shadow.Light}, unit.Color)
		require.EqualValues(t, max(int64(math.Min(math.Abs(float64(u.Shadow.W)), 1)*shadowDepthOne)-int64(u.Shadow.Bias), 0), u.Shadow.Reference)
	}
	if u.LOD != nil {
		seen["lod"]++
	}
	switch {
	case u.Shadow != nil:
	case len(u.Samples) == 1:
		require.Equal(t, u.Samples[0].Color, unit.Color)
	case len(u.Samples) == 2:
		seen["two levels"]++
		a, b := u.Samples[0], u.Samples[1]
		require.Equal(t, 256, a.Share+b.Share)
		for ch := range unit.Color {
			require.EqualValues(t, (int(a.Color[ch])*a.Share+int(b.Color[ch])*b.Share+128)>>8, unit.Color[ch])
		}
	}
}

func lightAddsUp(t *testing.T, s *fieldScene, l *LightingRecord, seen map[string]int) {
	seen["light"]++
	normal := vec3{0, 0, 1}
	if l.Bump != nil {
		seen["bump"]++
		if l.Bump.Mode == pica.BumpNormal {
			normal = vec3{float64(l.Bump.Vector[0]), float64(l.Bump.Vector[1]), float64(l.Bump.Vector[2])}
		}
	}
	if l.Tangent != nil {
		seen["tangent"]++
	}
	near := func(want float64, got float32, what string) {
		require.InDelta(t, want, float64(got), 2e-5*math.Max(1, math.Abs(want)), what)
	}
	v := func(x [3]float32) vec3 { return vec3{float64(x[0]), float64(x[1]), float64(x[2])} }
	q := l.Quaternion
	for k, want := range refRotate([4]float64{float64(q[0]), float64(q[1]), float64(q[2]), float64(q[3])}, normal) {
		near(want, l.Normal[k], "normal")
	}
	primary, secondary, view := vec3{}, vec3{}, vec3{}
	if l.Ambient != nil {
		primary = v(*l.Ambient)
	}
	if l.View != nil {
		view = v(*l.View)
	}
	shadow := vec3{1, 1, 1}
	if l.Shadow != nil {
		seen["light shadow"]++
		shadow = vec3{float64(l.Shadow[0]), float64(l.Shadow[1]), float64(l.Shadow[2])}
	}
	for _, light := range l.Lights {
		near(v(light.L).dot(v(l.Normal)), light.LN, "L.N")
		if light.H != [3]float32{} {
			near(1, float32(v(light.H).dot(v(light.H))), "H is a unit vector")
			half := v(light.L).add(view)
			near(half.dot(half), light.HalfSquare, "H")
		}
		for _, table := range light.Tables {
			seen["table"]++
			e, name := table.Entry, pica.LightTable(table.Number).String()
			near(float64(table.Scale)*(float64(e.Value)+float64(e.Difference)*float64(e.Fraction)), table.Result, name)
			at := 256 * refClamp(float64(e.Input), 0, 1)
			for k := range lightTable(numLightTables) {
				if strings.EqualFold(k.String(), name[:2]) && fieldsSigned[k].Bool(&s.regs) {
					at = math.Mod(128*refClamp(float64(e.Input), -1, 1)+256, 256)
				}
			}
			require.InDelta(t, at, float64(e.Index)+float64(e.Fraction), 0.01, name)
			want := map[pica.LutInput]float64{
				pica.LutInputNH: v(l.Normal).dot(v(light.H)), pica.LutInputVH: view.dot(v(light.H)), pica.LutInputNV: v(l.Normal).dot(view),
				pica.LutInputLN: v(light.L).dot(v(l.Normal)), pica.LutInputSP: v(light.L).dot(v(light.Spot)),
			}
			if w, ok := want[table.Input]; ok && table.Number < tableDistance0 {
				near(w, table.X, name)
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
		near(primary[k], l.Sums[0][k], "primary sum")
		near(secondary[k], l.Sums[1][k], "secondary sum")
	}
	for k := range 4 {
		require.EqualValues(t, int(refByte(float64(l.Sums[0][k]))), l.Colors[0][k])
		require.EqualValues(t, int(refByte(float64(l.Sums[1][k]))), l.Colors[1][k])
	}
}

// combined computes a channel of the result of a combiner stage.
func combined(s *StageRecord, ch int) int {
	half := ch / 3
	f, from, i := s.Function[half], half, ch%3
	if s.Function[0] == pica.CombineDot3RGBA {
		f, from = s.Function[0], 0
	}
	value := func(j, i int) int { return int(s.Operands[from][j].Value[i]) }
	x := value(0, i) // a dot product of alpha alone passes its operand on
	switch dot := f == pica.CombineDot3RGB || f == pica.CombineDot3RGBA; {
	case dot && from == 0:
		x = 0
		for k := range 3 {
			x += refDot3(value(0, k), value(1, k))
		}
	case !dot:
		x = refCombine(f, value(0, i), value(1, i), value(2, i))
	}
	return min(max(x, 0)<<s.Shift[half], 255)
}

func specialAddsUp(t *testing.T, r *Record, seen map[string]int) {
	entry := func(e *EntryRecord) float64 {
		require.InDelta(t, 128*refClamp(float64(e.Input), 0, 1), float64(e.Index)+float64(e.Fraction), 1e-3)
		return math.Min(math.Max(float64(e.Value)+float64(e.Difference)*float64(e.Fraction), 0), 1)
	}
	if f := r.Fog; f != nil {
		seen["fog"]++
		require.InDelta(t, entry(&f.Entry), float64(f.Factor), 1e-6)
		for ch := range 3 {
			want := float64(f.Factor)*float64(f.Before[ch]) + (1-float64(f.Factor))*float64(f.Color[ch])
			require.InDelta(t, want, f.After[ch], 0.51)
			require.Equal(t, r.Color[ch], f.After[ch])
		}
	}
	if g := r.Gas; g != nil {
		seen["gas"]++
		require.EqualValues(t, int(entry(&g.AlphaEntry)*255), g.Color[alpha])
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
			a := float64(l.Planar) / 255 * (1 - float64(l.XYAttenuation)*x)
			b := float64(l.ZEffect) * (1 - float64(l.ZAttenuation)*x)
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

// The colour table entries in a procedural texture's record are those of the table at the recorded position, and give the texture's
// colour, for every filter and several widths.
func TestProcTexEntriesAddUp(t *testing.T) {
	setup := sceneProcTex
	two, between := 0, 0
	for _, filter := range []pica.ProcFilter{pica.ProcFilterNearest, pica.ProcFilterLinear, pica.ProcFilterNearestMipmapNearest,
		pica.ProcFilterLinearMipmapNearest, pica.ProcFilterNearestMipmapLinear, pica.ProcFilterLinearMipmapLinear} {
		for _, width := range []uint32{1, 2, 29, 64, 128} {
			for _, with := range []simd.Kernels{simd.Best, simd.Plain} {
				s := newFieldScene(setup)
				s.with = with
				pica.ProctexMinFilter.Set(&s.regs, uint32(filter))
				pica.ProctexWidth.Set(&s.regs, width)
				pica.ProctexLodMin.Set(&s.regs, 0)
				pica.ProctexLodMax.Set(&s.regs, 6)
				for i := range int32(12) {
					for _, r := range s.records(t, i*7%sceneSize, i*5%sceneSize) {
						u := &r.Units[3]
						require.NotNil(t, u.Procedural)
						n := procTexAddsUp(t, s, u)
						two += n - 1
						if u.Procedural.Entries[0].Fraction != 0 {
							between++
						}
					}
				}
			}
		}
	}
	require.Positive(t, two, "some samples mix two levels")
	require.Positive(t, between)
}

// procTexAddsUp computes the procedural texture's colour from its record and the tables, and returns the number of entries.
func procTexAddsUp(t *testing.T, s *fieldScene, u *UnitRecord) int {
	t.Helper()
	p := u.Procedural
	require.NotEmpty(t, p.Entries)
	var sum [4]float64
	shares := 0.0
	for _, e := range p.Entries {
		width := max(int(pica.ProctexWidth.Get(&s.regs))>>e.Level, 1)
		high := cmp.Or(s.regs[pica.RegTexunit3Proctex6], 0xFEFCF8F0)
		first := []uint32{s.regs[pica.RegTexunit3Proctex5], high}[e.Level/4] >> (8 * (e.Level % 4)) & 0xFF
		behind := math.Floor(float64(e.Input))
		if e.Difference == [4]int{} && e.Fraction == 0 { // nearest, or exactly on an entry
			behind = math.Floor(float64(e.Input) + 0.5)
		}
		require.Equal(t, int(uint8(first+uint32(behind))), e.Index)
		require.InDelta(t, float64(p.Mapped)*float64(width-1), float64(e.Input), 1e-4)
		word, diff := s.tables.ProcColor[e.Index], s.tables.ProcColorDiff[e.Index]
		for ch := range 4 {
			require.Equal(t, uint8(word>>(8*ch)), e.Color[ch], "the table's entry %d", e.Index)
			if e.Fraction != 0 {
				require.Equal(t, 2*int(int8(diff>>(8*ch))), e.Difference[ch])
			}
			want := math.Min(math.Max(float64(e.Color[ch])+float64(e.Difference[ch])*float64(e.Fraction), 0), 255)
			require.InDelta(t, want, float64(e.Result[ch]), 1e-3)
			sum[ch] += want * float64(e.Share)
		}
		shares += float64(e.Share)
	}
	require.InDelta(t, 1, shares, 1e-6)
	channels := 4
	if p.Alpha != nil { // alpha has its own map
		channels = 3
	}
	for ch := range channels {
		got := float64(u.Color[ch])
		require.True(t, got <= sum[ch]+1e-3 && got > sum[ch]-1-1e-3, "channel %d: %g of %g", ch, got, sum[ch])
	}
	return len(p.Entries)
}
