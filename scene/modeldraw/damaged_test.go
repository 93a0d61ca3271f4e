package modeldraw

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/cgfx"
	"pica200/pica"
	"pica200/tests/testkit"
)

// Invalid commands of a material are skipped with a note and affect nothing else. Registers that do not belong to materials are
// ignored; a draw that the hardware rejects is skipped alone.
func TestDamagedMaterialCommands(t *testing.T) {
	data := testkit.Read(t, "../../testdata/models/kit.cgfx")
	add := func(m *cgfx.Material, words []uint32) { m.Commands = append(m.Commands, words...) }
	header := func(r pica.Reg, extra int) uint32 { return uint32(pica.MakeCommandHeader(r, 0xF, extra, true)) }
	for _, c := range []struct {
		name   string
		change func(m *cgfx.Material)
		note   string // note of the set
		warns  string // warning of the GPU
		same   bool   // the picture is that of the unchanged file
	}{
		{"nothing", func(*cgfx.Material) {}, "", "", true},
		{"a command that is cut short", func(m *cgfx.Material) { add(m, []uint32{1, header(pica.RegFacecullingConfig, 7)}) }, "has 7 further parameters", "", true},
		{"the viewport", func(m *cgfx.Material) { add(m, []uint32{0, header(pica.RegViewportWidth, 0)}) }, "register 0x041", "", true},
		{"where the target lies", func(m *cgfx.Material) { add(m, []uint32{4, header(pica.RegColorbufferLoc, 0)}) }, "register 0x11D", "", true},
		{"where a texture lies", func(m *cgfx.Material) { add(m, []uint32{4, header(0x085, 0)}) }, "register 0x085", "", true},
		{"a draw", func(m *cgfx.Material) { add(m, []uint32{1, header(pica.RegDrawelements, 0)}) }, "register 0x22F", "", true},
		{"no register", func(m *cgfx.Material) { add(m, []uint32{1, header(0x3FF, 0)}) }, "register 0x3FF", "", true},
		{"a combiner that does not exist", func(m *cgfx.Material) { m.Fragment.Combiners[0].Command[3] = 12 }, "", "function 12 does not exist", false},
		{"masks that a material has", func(m *cgfx.Material) { add(m, []uint32{0, header(pica.RegColorbufferWrite, 0)}) }, "", "", false},
	} {
		f := testkit.Must(cgfx.Parse(data))(t)
		c.change(f.Models.Get(Common).Materials.Get("skin"))
		g, set, draws, err := pictureOf(t.Context(), &Set{File: f, parts: map[partKey]*primitives{}, noted: map[string]bool{}}, 96, 64, 5)
		require.NoError(t, err, c.name)
		require.Equal(t, 9, draws, c.name)
		if c.note == "" {
			require.Empty(t, set.Notes, c.name)
		} else {
			require.Len(t, set.Notes, 1, c.name)
			require.Contains(t, set.Notes[0], "material skin: its commands are damaged", c.name)
			require.Contains(t, set.Notes[0], c.note, c.name)
		}
		var warnings strings.Builder
		for _, w := range g.Warnings() {
			warnings.WriteString(w.String())
		}
		require.Equal(t, c.warns == "", warnings.Len() == 0, c.name+": "+warnings.String())
		require.Contains(t, warnings.String(), c.warns, c.name)
		require.Equal(t, c.same, string(colors(t, g)) == string(pixels(t, data, 5)), c.name)
		g.Close()
	}
}
