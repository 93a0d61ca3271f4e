package app

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// shot compares the window with testdata/NAME.png. Our own code draws it, without OpenGL; where the picture is scaled by a
// fraction, processors round differently.
func (d *driver) shot(name string) {
	d.t.Helper()
	d.dirty = true
	got := d.Window()
	path := filepath.Join(shots, name+".png")
	if testkit.Updating() {
		var b bytes.Buffer
		require.NoError(d.t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, got))
		require.NoError(d.t, os.MkdirAll(shots, 0o755))
		require.NoError(d.t, os.WriteFile(path, b.Bytes(), 0o644))
		return
	}
	data, err := os.ReadFile(path)
	require.NoError(d.t, err, "run the test with -update to write it")
	want, err := png.Decode(bytes.NewReader(data))
	require.NoError(d.t, err)
	require.Equal(d.t, want.Bounds(), got.Bounds())
	differ := 0
	for y := range got.Rect.Dy() {
		for x := range got.Rect.Dx() {
			a, b := got.RGBAAt(x, y), color.RGBAModel.Convert(want.At(x, y)).(color.RGBA)
			for _, c := range [3][2]uint8{{a.R, b.R}, {a.G, b.G}, {a.B, b.B}} {
				if max(c[0], c[1])-min(c[0], c[1]) > 4 {
					differ++
					break
				}
			}
		}
	}
	require.LessOrEqual(d.t, differ, got.Rect.Dx()*got.Rect.Dy()/2000, "pixels differ from %s; run with -update and look at what git diff shows", path)
}

// shots is the folder of the pictures, made absolute because tests change their directory.
var shots = func() string {
	dir, err := filepath.Abs("testdata/shots")
	if err != nil {
		panic(err)
	}
	return dir
}()

// TestWindowPictures shows every part around the picture, in the sizes in use.
func TestWindowPictures(t *testing.T) {
	scene, _ := copyScene(t)
	t.Chdir(filepath.Dir(scene)) // short paths, equal everywhere
	d := drive(t, open(t, "window.yaml"), Options{Open: nil})
	d.Resize(400, 240, 1)
	d.click("View")
	d.shot("menu-400x240")
	d.Key(KeyEscape, 0)
	d.Char('/')
	d.settle()
	d.typed("no such thing")
	d.shot("no-match-400x240")
	d.Key(KeyEscape, 0)

	d.Resize(800, 480, 2)
	d.find("texenv[0].srcrgb")
	d.Overlay()
	d.Key(KeyEnter, 0)
	d.shot("choice-800x480-scale2")
	d.Key(KeyEscape, 0)

	d.Resize(640, 384, 1)
	d.find("material")
	d.panel.Select("dmp_FragmentMaterial.samplerD0")
	d.Key(KeyEnter, 0)
	p := d.control("draw with the mouse")
	d.drag(ButtonLeft, p.Sub(image.Pt(100, -20)), p.Sub(image.Pt(0, 20)))
	d.shot("table")
	d.click("choose a colour")
	d.shot("colour")
	d.Key(KeyEscape, 0)
	d.Key(KeyEscape, 0)
	d.Key(KeyEscape, 0)
	d.editDraw(d.picture.Names[1])
	d.settle()
	d.panel.Select("place:at")
	d.shot("handles")
	d.Key(KeyEscape, 0)
	d.Key('O', Ctrl)
	d.typed("win")
	d.Key(KeyDown, 0)
	d.shot("open")
}
