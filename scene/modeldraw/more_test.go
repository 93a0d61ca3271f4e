package modeldraw

import (
	"image"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"pica200/assets/cgfx"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/testkit"
)

// more returns testdata/models/more.cgfx after change.
func more(t testing.TB, change func(*cgfx.File)) []byte {
	data := testkit.Read(t, "../../testdata/models/more.cgfx")
	f := testkit.Must(cgfx.Parse(data))(t)
	require.Empty(t, f.Check().Problems())
	if change == nil {
		return data
	}
	change(f)
	out := testkit.Must(f.Relayout())(t)
	return out
}

// shot draws a file with the menu's camera.
func shot(t testing.TB, data []byte, frames float64) (image.Image, []string) {
	g, set, _, err := picture(t.Context(), data, 200, 120, frames)
	require.NoError(t, err)
	defer g.Close()
	target := testkit.Must(g.LastTarget())(t)
	img := testkit.Must(pipeline.ColorImage(target))(t)
	return img, set.Notes
}

// squares are the x coordinates of the centres of the five squares in a picture of shot.
var squares = [5]int{46, 73, 100, 127, 154}

func at(img image.Image, x, y int) [3]int {
	r, g, b, _ := img.At(x, y).RGBA()
	return [3]int{int(r >> 8), int(g >> 8), int(b >> 8)}
}

// A shader contained in the file is run with the vertex position and texture coordinate, matrices by the names of the system's
// shaders, and the material's parameter.
func TestEmbeddedShadersAreRun(t *testing.T) {
	img, notes := shot(t, more(t, nil), 0)
	require.Empty(t, notes)
	for _, c := range []struct{ dx, dy int }{{-10, -10}, {10, -10}, {-10, 10}, {10, 10}, {0, 0}} {
		got := at(img, squares[0]+c.dx, 60+c.dy)
		// Tint is (1, 0.5, 1); the texture coordinate is 0..1 over 25 pixels, t upwards.
		s, up := (float64(c.dx)+12.5)/25, (float64(-c.dy)+12.5)/25
		want := mgl64.Vec3{255 * s, 127.5 * up, 255 * s}
		for k := range want {
			require.InDelta(t, want[k], got[k], 14, "at %v: %v", c, got)
		}
	}
	own := func(f *cgfx.File) *cgfx.Material { return f.Models.Get(Common).Materials.Get("own") }
	// The material's number selects one of the file's programs; an invalid number selects the first vertex shader.
	same, _ := shot(t, more(t, func(f *cgfx.File) { own(f).ShaderProgram = 77 }), 0)
	require.Equal(t, img, same)
	// The binary can also be stored in the material.
	inside, _ := shot(t, more(t, func(f *cgfx.File) { own(f).Shader = f.Shaders.Values()[0] }), 0)
	require.Equal(t, img, inside)
	// Without the parameter its uniform is 0, with a note.
	black, notes := shot(t, more(t, func(f *cgfx.File) { own(f).Parameters = nil }), 0)
	require.Equal(t, [3]int{}, at(black, squares[0], 60))
	require.Contains(t, notes[0], "Tint")
	// A shader that is not readable is replaced by the library's, with a note.
	white, notes := shot(t, more(t, func(f *cgfx.File) {
		b := slices.Clone(f.Shaders.Values()[0].Binary)
		copy(b[slices.Index(b, 'P'):], "Q") // damages the first magic
		f.Shaders.Values()[0].Binary = b
	}), 0)
	require.Equal(t, [3]int{255, 255, 255}, at(white, squares[0], 60))
	require.Contains(t, notes[0], "library's program")
}

// A projected texture follows its camera: the view's or the file's.
func TestProjectedTexturesFollowCamera(t *testing.T) {
	img, _ := shot(t, more(t, nil), 0)
	near := func(want, got [3]int, what string) {
		require.InDeltaSlice(t, want[:], got[:], 10, what) // the texture has 5 or 6 bits per channel
	}
	// Projected by the view: red on the left, bright above the centre.
	near([3]int{230, 60, 60}, at(img, squares[1], 52), "above")
	near([3]int{115, 30, 30}, at(img, squares[1], 68), "below")
	// Projected by a camera with a height of 5 units that looks at the square's centre: halves of 12 pixels, and the texture
	// repeats.
	near([3]int{230, 60, 60}, at(img, squares[2]-5, 54), "left, above")
	near([3]int{60, 230, 60}, at(img, squares[2]+5, 54), "right, above")
	near([3]int{30, 115, 30}, at(img, squares[2]+5, 66), "right, below")
	none, notes := shot(t, more(t, func(f *cgfx.File) { f.Models.Get(Common).Materials.Get("slide").TexCoords[1].Camera = 9 }), 0)
	require.Contains(t, notes[0], "camera 9")
	require.NotEqual(t, at(img, squares[2]+5, 50), at(none, squares[2]+5, 50))
	// Division in the texture unit and in the program give the same.
	first, _ := shot(t, more(t, func(f *cgfx.File) {
		m := f.Models.Get(Common).Materials.Get("slide")
		m.TexCoords[0], m.Mappers[0], m.Mappers[1] = m.TexCoords[1], f.Models.Get(Common).Materials.Get("screen").Mappers[0], nil
		m.Fragment.Combiners[0].Command[0] = 3<<4 | 3<<20
	}), 0)
	for _, x := range []int{-8, -3, 3, 8} {
		require.Equal(t, at(img, squares[2]+x, 54), at(first, squares[2]+x, 54))
	}
}

// Animations of lights, cameras and fogs apply to the objects they name.
func TestLightCameraAndFogAnimations(t *testing.T) {
	data := more(t, nil)
	set := testkit.Must(Open(data))(t)
	motion := testkit.Must(set.Animation(""))(t)
	still := testkit.Must(set.Animation("none"))(t)
	light := func(name string, m *Motion, f float64) *cgfx.Light {
		return set.moveLight(set.File.Lights.Get(name), m, f)
	}
	require.InDeltaSlice(t, []float32{0.5, 0.5, 0, 1}, light("Side", motion, 60).Diffuse[:], 1e-6)
	require.Equal(t, mgl32.Vec4{0.6, 0.3, 0, 1}, light("Side", still, 60).Diffuse)
	require.Equal(t, mgl32.Vec4{1, 1, 1, 1}, light("Lamp", motion, 60).Diffuse, "a light that the animation does not name stays")
	require.EqualValues(t, 1, light("Spot", motion, 59).Enabled)
	require.EqualValues(t, 0, light("Spot", motion, 61).Enabled)
	fog := set.moveFog(set.File.Fogs.Get("Mist"), motion, 60)
	require.InDeltaSlice(t, []float32{0.5, 0.5, 0, 1}, fog.Color[:], 1e-6)
	c, ok := set.Camera(0, motion, 60)
	require.True(t, ok)
	require.InDeltaSlice(t, []float64{20, 4, 40}, c.Eye[:], 1e-5)
	require.InDeltaSlice(t, []float64{6, 0, 0}, c.At[:], 1e-5)
	require.InDelta(t, degrees(0.3), c.Fovy, 1e-4)
	c, ok = set.Camera(0, still, 60)
	require.True(t, ok)
	require.Equal(t, mgl64.Vec3{0, 0, 40}, c.Eye)
	require.EqualValues(t, 120, set.CameraFrames(0, motion))
	require.True(t, set.CameraLoops(0, motion))
	require.Zero(t, set.CameraFrames(1, motion))
	for i := range 3 {
		_, ok := set.Camera(i, nil, 0)
		require.True(t, ok, "camera %d", i)
	}
	for _, i := range []int{-1, 3} {
		_, ok := set.Camera(i, motion, 0)
		require.False(t, ok)
		require.Zero(t, set.CameraFrames(i, motion))
	}
	a, _ := shot(t, data, 0)
	b, _ := shot(t, data, 60)
	require.NotEqual(t, at(a, squares[3], 60), at(b, squares[3], 60), "the side light and the fog change the square")
	require.NotEqual(t, at(a, squares[4], 60), at(b, squares[4], 60), "the spot light changes the square")
}

// A mesh without indices is named in a note; the others are drawn.
func TestMeshesWithoutIndices(t *testing.T) {
	whole, _ := shot(t, more(t, nil), 0)
	some, notes := shot(t, more(t, func(f *cgfx.File) {
		m := f.Models.Get(Common)
		for _, set := range m.Shapes[m.Meshes[1].Shape].Sets {
			for _, p := range set.Primitives {
				p.Streams = nil
			}
		}
	}), 0)
	require.NotEqual(t, whole, some)
	require.Equal(t, at(whole, squares[4], 60), at(some, squares[4], 60))
	require.Len(t, notes, 1)
	require.Regexp(t, "^.+ has no index stream: nothing says which vertices make its triangles, and a console draws nothing of it either$", notes[0])
}

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
