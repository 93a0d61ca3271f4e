package app

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/fragment"
	"pica200/golden"
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

// The panels of traces, cases and errors match their stored pictures.
func TestPanelPictures(t *testing.T) {
	d := drive(t, open(t, lights), Options{})
	d.Resize(900, 520, 1)
	d.keyJobs('L')
	d.show(1)
	d.shot("draws")
	d.keyJobs('E')
	d.shot("summary")
	d.state.tabs.Select(tabRegisters)
	d.screen.Focus(&d.state.search)
	d.chars("texenv0")
	d.shot("registers")
	d.state.tabs.Select(tabUniforms)
	d.shot("uniforms")
	d.state.tabs.Select(tabTables)
	d.shot("tables")
	d.show(0)
	d.state.tabs.Select(tabTextures)
	d.shot("textures")
	d.Key(KeyEscape, 0)
	d.showDraw(-1)
	d.settle()
	d.inspect(image.Pt(200, 90))
	d.shot("inspector")
	d.Key(KeyEscape, 0)
	d.req.View = fragment.ViewDepth
	d.key('D')
	d.now = d.now.Add(10_000_000_000)
	d.Update()
	d.shot("depth")

	scene, shader := copyScene(t)
	dir := filepath.Dir(scene)
	require.NoError(t, d.Close())
	d = drive(t, open(t, scene), Options{Open: openFile})
	d.Resize(900, 520, 1)
	d.makeGolden(d.req, "knot", false)
	d.jobs()
	d.load(filepath.Join(dir, "golden", "knot.case.yaml"))
	d.settle()
	good := testkit.Read(t, shader)
	rewrite(t, shader, "mov outColor, color", "mov outColor, colour")
	d.until("the case cannot be drawn", func() bool { return d.Problem() != "" })
	d.problem = strings.ReplaceAll(d.problem, dir, "DIR")
	d.message.text, d.dirty = "", true
	d.shot("case-error")
	require.NoError(t, os.WriteFile(shader, []byte(strings.Replace(string(good), "mov r0.xyz, position", "mul r0.xyz, half, position", 1)), 0o644))
	d.until("the case is drawn again", func() bool { return d.Problem() == "" && d.Picture().Golden.Status == golden.Differs })
	d.message.text, d.dirty = "", true
	d.shot("case")
}

// largeSide is the other side of a window of 5000 pixels. make test leaves out windows that are so large in both directions,
// because an overlay of them has 100 MB.
func largeSide() int {
	if testkit.Short() {
		return 1000
	}
	return 5000
}

// Windows of any size, with anything open, cause no panic.
func TestAnyWindowSizeDraws(t *testing.T) {
	d, path, _ := editing(t)
	d.set(specular, "0.125")
	popups := map[string]func(){
		"none": func() {}, "question": d.Leave, "open": d.openDialog, "keys": d.toggleKeys, "menu": func() { d.openMenu("Edit") },
		"prompt": d.newGolden, "jump": d.jumpToFrame,
		"picker": func() {
			if p, ok := d.Screen().Where("choose a colour"); ok {
				d.tap(p)
			}
		},
	}
	large := largeSide()
	for _, size := range [][3]int{{1, 1, 1}, {1, 1, 2}, {37, 900, 1}, {390, 300, 1}, {390, 300, 2}, {5000, large, 1}, {large, 5000, 2}} {
		for _, k := range []dock{dockNone, dockPanel, dockInspector, dockWarnings} {
			if max(size[0], size[1]) == 5000 && k != dockPanel {
				continue
			}
			for name, open := range popups {
				d.setDock(k)
				d.drawList.open = k%2 == 0
				d.Resize(size[0], size[1], float64(size[2]))
				d.Overlay()
				open()
				img, _ := d.Overlay()
				require.Equal(t, image.Pt(size[0], size[1]), img.Rect.Size(), name)
				for range 4 {
					d.Key(KeyDown, 0)
				}
				d.Overlay()
				for d.Screen().Popup() != nil {
					d.Key(KeyEscape, 0)
				}
			}
		}
	}
	d.settle()
	require.False(t, d.Quit())
	require.NotContains(t, string(testkit.Read(t, path)), "0.125")
}

// What a draw has besides uniforms is found, changed and saved like these; a value that cannot be is refused.
func TestStyleRows(t *testing.T) {
	path, _ := copyScene(t)
	d := drive(t, open(t, path), Options{Panel: true})
	d.editDraw("knot")
	d.settle()
	for words, key := range map[string]string{"stencil": "draw:stencil.func", "cull": "draw:cull", "blend": "draw:blend", "color": "draw:color", "depth write": "draw:depth.write", "floor": "picture:floor"} {
		d.find(words)
		require.NotNil(t, d.panel.Selected(), words)
		require.Equal(t, key, d.panel.Selected().Key, words)
	}
	d.find("cull")
	require.Equal(t, "cull = back", d.panel.String(), "the value in effect")
	d.key(KeyLeft)
	d.find("write")
	d.Key(KeyEnter, 0)
	d.typed("xyz")
	d.key(KeyEnter)
	require.Contains(t, d.message.text, "r, g, b and a")
	require.Len(t, d.req.Edits, 1)
	require.Equal(t, "rgba", d.panel.Selected().Text)
	require.True(t, d.panel.Selected().Unsaid, "refused")
	d.Key(KeyEnter, 0)
	d.typed("rga")
	d.key(KeyEnter)
	d.keyJobs('S', Ctrl)
	text := string(testkit.Read(t, path))
	require.Contains(t, text, "cull: front\n    write: rga\n")
	d.key('Z', Ctrl)
	d.key('Z', Ctrl)
	require.Equal(t, 2, d.unsaved(), "undone over the save")
}

// A texture gets another file: typed, or a picture that is dropped on the window.
func TestTextureFileRow(t *testing.T) {
	path, _ := copyScene(t)
	picture := filepath.Join(filepath.Dir(path), "new.png")
	var out bytes.Buffer
	require.NoError(t, png.Encode(&out, image.NewRGBA(image.Rect(0, 0, 8, 8))))
	require.NoError(t, os.WriteFile(picture, out.Bytes(), 0o644))
	d := drive(t, open(t, path), Options{Panel: true, Open: openFile})
	before := d.picture.Image.Pix
	d.find("floor")
	d.Key(KeyEnter, 0)
	d.typed("none.png")
	d.key(KeyEnter)
	require.Contains(t, d.problem, "none.png")
	d.screen.Focus(&d.panel.Search)
	d.Drop(picture)
	d.settle()
	require.Same(t, d.panel, d.screen.Focused(), "undo is for it")
	require.Empty(t, d.problem)
	require.Equal(t, path, d.info.Path)
	require.NotEqual(t, before, d.picture.Image.Pix)
	d.keyJobs('S', Ctrl)
	require.Contains(t, string(testkit.Read(t, path)), "floor: {file: new.png, mipmaps: true, mip: linear}")
	seen := d.Picture().Image.Pix
	require.NoError(t, os.WriteFile(picture, testkit.Read(t, "../../docs/viewer/view-final.png"), 0o644))
	d.until("the new file is watched", func() bool { return !bytes.Equal(seen, d.Picture().Image.Pix) })
	d.Drop(path)
	d.jobs()
	require.Nil(t, d.panel.Selected(), "other files are opened")
}

// A step to another draw takes the panel, the handles and the tree along, and the whole frame those that came along.
func TestPanelsFollowSteps(t *testing.T) {
	d := drive(t, open(t, window), Options{Panel: true})
	for _, want := range []string{"floor", "knot", ""} {
		d.key(']')
		require.Equal(t, want, d.target)
		require.Equal(t, want, d.picture.Request.Target)
	}
	d.editDraw("floor")
	d.key('[')
	require.Equal(t, "knot", d.target)
	d.setDock(dockParts)
	d.key('[')
	require.Equal(t, d.target, targetOf(d.parts.tree.Selected))
	require.Equal(t, "floor: material default", d.target)
	d.editDraw("knot")
	d.key('[')
	require.Equal(t, "knot", d.target, "what was chosen otherwise stays")
}
