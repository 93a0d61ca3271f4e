package bch

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"

	"pica200/assets/cgfx"
	"pica200/assets/tree"
	"pica200/pica"
	"pica200/tests/testkit"
)

// whole is a file with every structure.
func whole(t testing.TB) []byte { return testkit.Read(t, "testdata/whole.bch") }

// Golden file: the parsed structures, and the CGFX structures for drawing.
func TestFileStructures(t *testing.T) {
	f := testkit.Must(Parse(whole(t)))(t)
	require.Empty(t, f.Findings)
	require.Len(t, f.Sections, 6)
	r, notes := f.Resources()
	testkit.Golden(t, "testdata/whole.txt", fmt.Appendf(nil, "%s\nas CGFX, %q%s\n", testkit.Dump(f), notes, testkit.Dump(r)))
}

// Golden file: findings and contents of damaged files, and of older versions.
func TestDamagedFileFindings(t *testing.T) {
	data := whole(t)
	look := testkit.Look(Parse, func(f *File) ([]string, string) { return testkit.Sentences(f.Check()), "" })
	text := ""
	contents := int(le.Uint32(data[8:]))
	for _, v := range []byte{0x20, 7, 6} {
		old := bytes.Clone(data)
		old[4] = v
		f, err := Parse(old)
		text += fmt.Sprintf("version 0x%x: %v, CRC-32 %08x\n", v, err, crc32.ChecksumIEEE([]byte(testkit.Dump(f))))
	}
	text += testkit.Damage(data, 0, 0x44, 4, look) + testkit.Damage(data, contents, contents+0x1000, 84, look)
	relocations := int(le.Uint32(data[8+20:]))
	text += testkit.Damage(data, relocations, relocations+64, 8, look)
	testkit.Golden(t, "testdata/damage.txt", []byte(text))
}

// A parsed file can be checked.
func FuzzBCH(f *testing.F) {
	data := whole(f)
	f.Add(data)
	for _, v := range []byte{0x20, 7, 5} {
		old := bytes.Clone(data)
		old[4] = v
		f.Add(old)
	}
	if data, err := os.ReadFile("../../testdata/models/arm.bch"); err == nil {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if g, err := Parse(data); err == nil {
			g.Check()
		}
	})
}

// The header depends on the version: flags since 8, a sixth section since 0x21.
func TestHeaderDependsOnVersion(t *testing.T) {
	data := whole(t)
	for version, want := range map[byte]struct{ sections, flags, need int }{7: {5, 0, 0x38}, 8: {5, 0x38, 0x3C}, 0x20: {5, 0x38, 0x3C}, 0x21: {6, 0x40, 0x44}, 0x22: {6, 0x40, 0x44}} {
		old := bytes.Clone(data)
		old[4] = version
		if want.flags > 0 {
			le.PutUint16(old[want.flags:], 0xABCD)
		}
		f, _ := Parse(old)
		require.NotNil(t, f)
		require.Len(t, f.Sections, want.sections)
		require.Equal(t, want.flags > 0, f.Flags == 0xABCD, "version 0x%x", version)
		_, err := Parse(old[:want.need-1])
		require.ErrorContains(t, err, fmt.Sprintf("a header of 0x%x bytes expected", want.need))
	}
}

// The lighting configuration is the first that reads all tables of a material, by 3dbrew's list.
func TestLightingConfigurationReadsAllTables(t *testing.T) {
	reads := []string{"d0 rr", "fr rr", "d0 d1 rr", "d0 d1 fr", "d0 d1 rr rg rb", "d0 fr rr rg rb", "d0 d1 fr rr", "", "d0 d1 fr rr rg rb"}
	names := []string{"rr", "rg", "rb", "d0", "d1", "fr"}
	for set := range 1 << len(names) {
		var tables cgfx.FragmentTables
		for i := range names {
			if set>>i&1 != 0 {
				tables.Tables[i] = &cgfx.LightTable{}
			}
		}
		want := slices.IndexFunc(reads, func(list string) bool {
			for i, n := range names {
				if set>>i&1 != 0 && !slices.Contains(strings.Fields(list), n) {
					return false
				}
			}
			return true
		})
		require.Equal(t, uint32(want), layer(&tables), "%06b", set)
	}
}

// An element of an animation becomes a member of the type of its target. Of a baked transform only existing parts are taken; flags
// mark constant and missing values.
func TestAnimationElementsBecomeMembers(t *testing.T) {
	for typ, c := range map[uint16]struct {
		is                cgfx.Target
		constant, missing uint32 // flags of the first value
	}{
		typeFloat: {cgfx.TargetFloat, 1, 0x100}, typeInteger: {cgfx.TargetInt, 1, 0x100}, typeTexture: {cgfx.TargetTexture, 1, 0x100},
		typeVector2: {cgfx.TargetVector2, 1, 0x100}, typeVector3: {cgfx.TargetVector3, 1, 0x100}, typeColor: {cgfx.TargetColor, 1, 0x100},
		typeTransform: {cgfx.TargetTransform, 1 << 6, 1 << 16}, typeQuaternions: {cgfx.TargetBaked, 0, 0}, typeMatrices: {cgfx.TargetMatrix, 0, 0}, typeBool: {cgfx.TargetBool, 0, 0},
	} {
		m := &cgfx.Member{Type: 99}
		require.True(t, new(resources).member(&Animation{}, &Element{Type: typ}, m))
		require.Equal(t, c.is, m.Type)
		require.True(t, m.Scales == nil && m.Rotations == nil && m.Translations == nil && m.Matrices == nil && m.Bool == nil)
		if c.constant == 0 {
			continue
		}
		n, constant, missing := counts(typ)
		require.Positive(t, n)
		require.Equal(t, c.constant, uint32(1)<<constant, "type %d", typ)
		require.Equal(t, c.missing, uint32(1)<<missing, "type %d", typ)
	}
	for target, path := range map[uint16]string{0: "it", 1: `Materials["it"].MaterialColor.Constant0`, 27: `Materials["it"].TextureCoordinators[2].Translate`, 28: "Transform"} {
		x := (&resources{}).animation(&Animation{Elements: []*Element{{Name: "it", target: target}}})
		require.Equal(t, path, x.Members.Entries[0].Name)
	}
	for bit, flag := range []uint32{0, 1, 2, 4, 32, 8, 16} { // the first is of bump mapping
		p, x := &Params{fragment: 1 << bit}, &cgfx.Material{Fragment: &cgfx.FragmentShader{}}
		(&resources{f: &File{}}).fragment(p, x)
		require.Equal(t, flag, x.Fragment.LightFlags, "bit %d", bit)
	}
}

// Findings about the converted structures have no offset in the file.
func TestFindingsWithoutOffset(t *testing.T) {
	f := testkit.Must(Parse(whole(t)))(t)
	f.Textures[0].Width = 0
	found := f.Check()
	require.NotEmpty(t, found)
	for _, x := range found {
		require.Equal(t, int64(tree.NoOffset), x.Offset, "%v", x)
	}
}

// Limits: a relocation up to the last word; command lists with unknown uniforms; counts beyond the file are
// refused.
func TestFileLimits(t *testing.T) {
	data := whole(t)
	contents, relocations := le.Uint32(data[8:]), le.Uint32(data[8+20:])
	for at, lost := range map[uint32]string{uint32(len(data)) - 4: "", uint32(len(data)): "1 relocations point to nothing in the file"} {
		bad := bytes.Clone(data)
		le.PutUint32(bad[relocations:], (at-contents)/4|atBase<<25)
		require.Zero(t, (at-contents)%4)
		f, err := Parse(bad)
		said := ""
		if err == nil {
			for _, x := range f.Findings {
				if x.Offset == int64(relocations) {
					said = x.Message
				}
			}
		}
		require.Equal(t, lost, said)
	}

	words := []uint32{0x40800000, 0x40400000, 0x40000000, 0x3F800000}
	w := read(commands(nil).add(pica.RegVshFloatuniformIndex, 0xF, false, 1<<31|95).add(pica.RegVshFloatuniformData0, 0xF, false, append(words, words...)...))
	require.Equal(t, mgl32.Vec4{1, 2, 3, 4}, w.floats[95])

	const value = 0xE04 // kind, number and pointer of the model's first value
	place := int(contents + le.Uint32(data[value+4:]))
	for n, fits := range map[int]bool{1: true, (len(data) - place) / 4: true, (len(data)-place)/4 + 1: false, 0xFFFF: false} {
		bad := bytes.Clone(data)
		le.PutUint16(bad[value+2:], uint16(n))
		g := testkit.Must(Parse(bad))(t)
		if fits {
			require.Empty(t, g.Findings)
			require.Len(t, g.Models[0].userData.values[0].words, n)
		} else {
			require.Contains(t, fmt.Sprint(g.Findings), fmt.Sprintf("%d values do not fit into the file", n))
		}
	}
}

// Slots keep their state; a curve without data is missing. CGFX has a fourth rotation slot.
func TestElementSlots(t *testing.T) {
	curve := &Curve{Keys: []byte{1}}
	e := &Element{Type: typeTransform}
	for i := range e.Slots {
		e.Slots[i] = Slot{State: []cgfx.SlotState{cgfx.Constant, cgfx.Curved, cgfx.Curved, cgfx.Missing}[i%4], Value: float32(i) + 0.5}
		if i%4 == 1 {
			e.Slots[i].Curve = curve
		}
	}
	m := &cgfx.Member{}
	require.True(t, (&resources{}).member(&Animation{}, e, m))
	require.Equal(t, cgfx.TargetTransform, m.Type)
	for k, want := range []int{0, 1, 2, 3, 4, 5, -1, 6, 7, 8} {
		if want < 0 {
			require.Equal(t, cgfx.Slot{}, m.Slots[k])
			continue
		}
		require.Equal(t, float32(want)+0.5, m.Slots[k].Constant)
		require.Equal(t, want%4 == 1, m.Slots[k].Curve != nil)
		is := []cgfx.SlotState{cgfx.Constant, cgfx.Curved, cgfx.Missing, cgfx.Missing}[want%4]
		require.Equal(t, is, m.Slots[k].Is)
	}
	require.False(t, (&resources{}).member(&Animation{}, &Element{Type: 99}, m))
}
