package modeldraw

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"image"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"pica200/assets/cgfx"
	"pica200/frontend/gl"
	"pica200/internal/mgl"
	"pica200/pipeline"
	"pica200/tests/testkit"
)

// menu is the camera of the HOME Menu.
var menu = View{Projection: mgl.Perspective(30, 400.0/240, 26.5, 1000), ToView: mgl.LookAt(mgl64.Vec3{0, 1, 44.786}, mgl64.Vec3{0, 1, 0}, mgl64.Vec3{0, 1, 0}), Near: 26.5, Far: 1000}

// picture draws all models of a file.
func picture(ctx context.Context, data []byte, width, height int, frames float64) (*pipeline.GPU, *Set, int, error) {
	set, err := Open(data)
	if err != nil {
		return nil, nil, 0, err
	}
	return pictureOf(ctx, set, width, height, frames)
}

func pictureOf(ctx context.Context, set *Set, width, height int, frames float64) (*pipeline.GPU, *Set, int, error) {
	g := pipeline.New(pipeline.Options{Workers: 1})
	c, err := gl.New(g)
	if err != nil {
		return nil, set, 0, err
	}
	t, err := c.NewTarget(width, height, gl.TargetOptions{})
	if err != nil {
		return nil, set, 0, err
	}
	if err := c.SetTarget(ctx, t); err != nil {
		return nil, set, 0, err
	}
	if err := errors.Join(c.ClearColor(ctx, 0, 0, 0, 0), c.ClearDepth(ctx, 1, 0)); err != nil {
		return nil, set, 0, err
	}
	d, err := set.New(c)
	if err != nil {
		return nil, set, 0, err
	}
	motion, err := set.Animation("")
	if err != nil {
		return nil, set, 0, err
	}
	draws := 0
	for _, m := range set.Models() {
		n, err := d.Draw(ctx, m, menu, mgl64.Ident4(), motion, frames, "")
		draws += n
		if err != nil {
			return g, set, draws, err
		}
	}
	if err := c.Flush(ctx); err != nil {
		return g, set, draws, err
	}
	return g, set, draws, g.Finish(ctx)
}

// models returns our own models and the real files, if present.
func models(tb testing.TB) map[string][]byte {
	out := map[string][]byte{}
	for _, pattern := range []string{"../../testdata/models/*", "../../../shared/corpus/cgfx/*.[cb]*"} {
		paths, _ := filepath.Glob(pattern)
		for _, path := range paths {
			data := testkit.Must(os.ReadFile(path))(tb)
			if Is(data) {
				out[filepath.Base(path)] = data
			}
		}
	}
	require.NotEmpty(tb, out)
	return out
}

// Every model draws something.
func TestEveryModelDraws(t *testing.T) {
	for name, data := range models(t) {
		g, _, draws, err := picture(t.Context(), data, 96, 64, 10)
		require.NoError(t, err, name)
		require.Positive(t, draws, name)
		require.Positive(t, g.TakeStats().Draws, name)
		require.Empty(t, g.Warnings(), name)
		target := testkit.Must(g.LastTarget())(t)
		img := testkit.Must(pipeline.ColorImage(target))(t)
		require.True(t, slices.ContainsFunc(img.Pix, func(b byte) bool { return b != 0 }), "%s: the picture has visible pixels", name)
		g.Close()
	}
}

// A model with changed bytes is read or refused, and what was read draws without an error; invalid parts are left out.
func FuzzModel(f *testing.F) {
	for _, data := range models(f) {
		if len(data) < 80<<10 {
			f.Add(data, uint64(1))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		data = append([]byte(nil), data...)
		head := min(len(data), 0x3000) // structures precede images
		for range r.IntN(8) {
			if head > 0 {
				data[r.IntN(head)] = byte(r.Uint32())
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		g, set, _, err := picture(ctx, data, 64, 48, 3)
		if g != nil {
			defer g.Close()
		}
		if err != nil && set != nil {
			t.Fatal(err)
		}
		if set != nil {
			set.Bounds()
			for _, m := range set.Models() {
				set.Export(m)
			}
		}
	})
}

// Laying a file out again does not change its picture.
func TestRelaidFileDrawsTheSame(t *testing.T) {
	for name, data := range models(t) {
		if !cgfx.Is(data) {
			continue
		}
		f := testkit.Must(cgfx.Parse(data))(t)
		again := testkit.Must(f.Relayout())(t)
		require.Equal(t, pixels(t, data, 30), pixels(t, again, 30), name)
	}
}

func pixels(t *testing.T, data []byte, frames float64) []byte {
	g, _, _, err := picture(t.Context(), data, 96, 64, frames)
	require.NoError(t, err)
	defer g.Close()
	return colors(t, g)
}

func colors(t *testing.T, g *pipeline.GPU) []byte {
	target := testkit.Must(g.LastTarget())(t)
	img := testkit.Must(pipeline.ColorImage(target))(t)
	return img.Pix
}

// Every packing of keys decodes to the packed values: at the first frame, in the middle and between.
func TestEveryKeyPackingDecodes(t *testing.T) {
	data := testkit.Read(t, "../../testdata/models/kit.cgfx")
	set := testkit.Must(Open(data))(t)
	seen := map[cgfx.Quantization]bool{}
	value := func(d *cgfx.Dict[cgfx.Animation], path string, slot int, at, want float32) {
		m := member(d.Get(Common), path)
		require.NotNil(t, m, path)
		s := &m.Slots[slot]
		seen[s.Curve.Segments[0].Quantization()] = true
		require.InDelta(t, want, s.At(at, 99), 1e-3, "%s, slot %d, frame %g", path, slot, at)
	}
	bones, materials := &set.File.SkeletalAnimations, &set.File.MaterialAnimations
	for _, c := range []struct {
		d         *cgfx.Dict[cgfx.Animation]
		path      string
		slot      int
		v0, v30   float32
		v60, v120 float32
	}{
		{bones, "tip", 5, -0.7, 0, 0.7, -0.7},                                                 // Hermite 128
		{bones, "ball", 0, 1, 1.15, 1.3, 1},                                                   // Hermite 64
		{bones, "ball", 8, -2, -0.5, 1, -2},                                                   // Hermite 48
		{bones, "ball", 9, 0, 1.5, 3, 0},                                                      // unified Hermite 48
		{materials, `Materials["sign"].TextureCoordinators[0].Translate`, 0, 0, 0.25, 0.5, 1}, // linear 64
		{materials, `Materials["sign"].TextureCoordinators[0].Translate`, 1, 0, 0.25, 0.5, 0}, // unified Hermite 32
		{materials, `Materials["sign"].TextureCoordinators[0].Rotate`, 0, 0, 0.3, 0.6, 0},     // unified Hermite 96
		{materials, `Materials["sky"].MaterialColor.Constant0`, 0, 0.2, 0.6, 1, 0.2},          // linear 32
		{materials, `Materials["sign"].TextureMappers[0].Texture`, 0, 0, 0, 1, 1},             // steps
	} {
		value(c.d, c.path, c.slot, 0, c.v0)
		value(c.d, c.path, c.slot, 30, c.v30)
		value(c.d, c.path, c.slot, 60, c.v60)
		value(c.d, c.path, c.slot, 120, c.v120)
	}
	require.Len(t, seen, 8)
}

// A billboard faces the eye and keeps its position and size for any rotation of its bone.
func TestBillboardsFaceTheEye(t *testing.T) {
	turned := mgl.Mul(mgl64.Translate3D(3, 4, -20), mgl.RotateXYZ(mgl32.Vec3{0.5, 0.6, 0.3}), mgl64.Scale3D(2, 3, 1))
	for way := cgfx.BillboardWorld; way <= cgfx.BillboardYAxialViewpoint; way++ {
		m := billboard(way, turned, mgl64.Ident4())
		require.Equal(t, turned.Col(3), m.Col(3), "%v: the position is kept", way)
		for c, want := range (mgl64.Vec3{2, 3, 1}) {
			require.InDelta(t, want, m.Col(c).Vec3().Len(), 1e-6, "%v: the size is kept", way)
		}
		z := m.Col(2)
		switch way {
		case cgfx.BillboardWorld, cgfx.BillboardScreen:
			require.InDeltaSlice(t, []float64{0, 0, 1}, z[:3], 1e-6, "%v", way)
		case cgfx.BillboardWorldViewpoint, cgfx.BillboardScreenViewpoint:
			eye := mgl64.Vec3{-3, -4, 20}.Normalize()
			require.InDeltaSlice(t, eye[:], z[:3], 1e-6, "%v", way)
		default:
			y := turned.Col(1).Vec3().Normalize()
			got := m.Col(1).Vec3().Normalize()
			require.InDeltaSlice(t, y[:], got[:], 1e-6, "%v: the y axis is the bone's", way)
			require.Positive(t, z[2], "%v: the z axis faces the eye", way)
		}
	}
	require.Equal(t, turned, billboard(cgfx.BillboardOff, turned, mgl64.Ident4()))
}

// Matrices stored in files equal those computed from scale, rotation and translation.
func TestStoredMatricesEqualComputed(t *testing.T) {
	for name, data := range models(t) {
		set := testkit.Must(Open(data))(t)
		for _, m := range set.Models() {
			for _, mat := range m.Materials.Values() {
				for i := range mat.TexCoords {
					c := &mat.TexCoords[i]
					if c.Scale == (mgl32.Vec2{}) || c.Matrix == (cgfx.Matrix{}) {
						continue
					}
					a, b := coordMatrix(c, false), coordMatrix(c, true)
					for r := range 2 {
						require.InDeltaSlice(t, a[r][:], b[r][:], 1e-4, "%s, material %s, coordinate %d, row %d", name, mat.Name, i, r)
					}
				}
			}
			if m.Skeleton == nil || name == "kit.cgfx" {
				continue
			}
			p := newPose(m.Skeleton, nil, 0)
			for i, b := range p.bones {
				if b.World == cgfx.Identity || b.World == (cgfx.Matrix{}) {
					continue
				}
				want := b.World.Mat4()
				require.InDeltaSlice(t, want[:], p.world[i][:], 1e-3, "%s, bone %s", name, b.Name)
			}
		}
	}
}

// A BCH model draws the same picture as the CGFX file it was made from at any time of its animation.
func TestBCHDrawsLikeCGFX(t *testing.T) {
	cgfx, bch := testkit.Read(t, "../../testdata/models/arm.cgfx"), testkit.Read(t, "../../testdata/models/arm.bch")
	for _, frame := range []float64{0, 17, 60} {
		a, _ := shot(t, cgfx, frame)
		b, notes := shot(t, bch, frame)
		require.Empty(t, notes)
		for i, p := range a.(*image.NRGBA).Pix {
			// One format stores colours of lights as bytes.
			require.InDelta(t, p, b.(*image.NRGBA).Pix[i], 2, "frame %g, byte %d", frame, i)
		}
	}
}

// Pictures of real files have the checksums in testdata/corpus.txt; -update writes them.
func TestCorpusPictureChecksums(t *testing.T) {
	paths, _ := filepath.Glob("../../../shared/corpus/cgfx/*.[cb]*")
	if len(paths) == 0 {
		t.Skip("needs ../shared/corpus/cgfx")
	}
	var b strings.Builder
	for _, path := range paths {
		data := testkit.Read(t, path)
		img, notes := shot(t, data, 30)
		sum := fnv.New64a()
		sum.Write(img.(*image.NRGBA).Pix)
		fmt.Fprintf(&b, "%016x %2d notes  %s\n", sum.Sum64(), len(notes), filepath.Base(path))
	}
	testkit.Golden(t, "testdata/corpus.txt", []byte(b.String()))
}

// given returns what the GPU receives for drawing a set after the given number of frames of an animation.
func given(ctx context.Context, set *Set, animation string, frames float64) (string, error) {
	dev := &testkit.Device{}
	c, err := gl.New(dev)
	if err != nil {
		return "", err
	}
	target, err := c.NewTarget(96, 64, gl.TargetOptions{})
	if err != nil {
		return "", err
	}
	if err := c.SetTarget(ctx, target); err != nil {
		return "", err
	}
	d, err := set.New(c)
	if err != nil {
		return "", err
	}
	motion, err := set.Animation(animation)
	if err != nil {
		return "", err
	}
	draws := 0
	for _, m := range set.Models() {
		n, err := d.Draw(ctx, m, menu, mgl64.Translate3D(1, 2, 3), motion, frames, "")
		draws += n
		if err != nil {
			return "", err
		}
	}
	err = c.Flush(ctx)
	return fmt.Sprintf("%d draws, %v", draws, dev), err
}

// Stored results for each of our models at several times: GPU input, camera positions, and exported models.
func TestModelDrawChecksums(t *testing.T) {
	var b strings.Builder
	for _, name := range []string{"arm.cgfx", "arm.bnr", "arm.bch", "kit.cgfx", "more.cgfx", "shapes.cgfx", "textures.cgfx"} {
		data := testkit.Read(t, "../../testdata/models/"+name)
		set := testkit.Must(Open(data))(t)
		lo, hi, ok := set.Bounds()
		fmt.Fprintf(&b, "%s: %s\nanimations %q, bounds %.5g to %.5g (%v)\n", name, set.Contents(), set.Animations(), lo, hi, ok)
		for _, a := range append(set.Animations(), "none") {
			for _, frames := range []float64{7.5, 61, 200} {
				r := testkit.Must(given(t.Context(), set, a, frames))(t)
				motion := testkit.Must(set.Animation(a))(t)
				fmt.Fprintf(&b, "%s of %g, frame %g: %s\n", a, motion.Frames(), frames, r)
				for i, name := range set.Cameras() {
					c, ok := set.Camera(i, motion, frames)
					fmt.Fprintf(&b, "  camera %s: %v %.5v, %g frames, loops %v\n", name, ok, c, set.CameraFrames(i, motion), set.CameraLoops(i, motion))
				}
			}
		}
		for i, m := range set.Models() {
			out, notes := set.Export(m)
			dump := testkit.Dump(out)
			fmt.Fprintf(&b, "model %d exported: %d bytes, CRC-32 %08x, %q\n", i, len(dump), crc32.ChecksumIEEE([]byte(dump)), notes)
		}
		fmt.Fprintf(&b, "notes %q\n\n", set.Notes)
	}
	testkit.Golden(t, "testdata/models.txt", []byte(b.String()))
}

// Stored results of drawing with one number of the file's structures changed.
func TestChangedModelNumbersChecksums(t *testing.T) {
	data := testkit.Read(t, "../../testdata/models/more.cgfx")
	first := testkit.Must(Open(data))(t)
	look := func() string {
		set := &Set{File: first.File, Size: len(data), parts: map[partKey]*primitives{}, noted: map[string]bool{}}
		text := testkit.Must(given(t.Context(), set, "", 7))(t)
		return fmt.Sprintf("%s %q", text[strings.LastIndex(text, " ")+1:], set.Notes)
	}
	as := look()
	// Tree nodes, values filled in by the console, and all but the first number of a vector are left out; of the rest a sample is
	// taken, because a drawing takes milliseconds.
	out := regexp.MustCompile(`Root|\.Branch|\.(Bit|Left|Right)$|Bounds|Runtime|Revision|Slots$|World|Local|Matrix|Inverse|\[[1-9]\d*\]$`)
	var b strings.Builder
	n := 0
	testkit.Numbers(first.File, func(path string, v reflect.Value) {
		if n++; out.MatchString(path) || strings.HasPrefix(path, ".Models") && n%37 != 0 || n%3 == 0 {
			return
		}
		old := reflect.New(v.Type()).Elem()
		old.Set(v)
		testkit.SetNumber(v, n%4)
		if text := look(); text != as {
			fmt.Fprintf(&b, "%s = %d: %s\n", path, n%4, text)
		}
		v.Set(old)
	})
	testkit.Golden(t, "testdata/numbers.txt", []byte(b.String()))
}
