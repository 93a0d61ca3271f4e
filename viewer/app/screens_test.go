package app

import (
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/fragment"
	"pica200/golden"
	"pica200/tests/testkit"
)

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
