package app

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

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
