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
	"pica200/viewer/session"
)

// The panels of traces, cases and errors match their stored pictures.
func TestPanelsLookAsBefore(t *testing.T) {
	d := drive(t, open(t, lights), Options{})
	d.Resize(900, 520, 1)
	d.keyJobs('L')
	d.showDraw(1)
	d.settle()
	d.jobs()
	d.shot("draws")
	d.keyJobs('E')
	d.shot("summary")
	d.state.tabs.Turn(tabRegisters)
	d.screen.Focus(&d.state.search)
	d.chars("texenv0")
	d.shot("registers")
	d.state.tabs.Turn(tabUniforms)
	d.dirty = true
	d.shot("uniforms")
	d.state.tabs.Turn(tabTables)
	d.dirty = true
	d.shot("tables")
	d.showDraw(0)
	d.settle()
	d.jobs()
	d.state.tabs.Turn(tabTextures)
	d.dirty = true
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

	dir := t.TempDir()
	scene, shader := sceneIn(t, dir, func(s string) string { return s })
	require.NoError(t, d.Close())
	d = drive(t, open(t, scene), Options{Open: func(path string) (session.Source, error) { return session.Open(path, session.Options{}) }})
	d.Resize(900, 520, 1)
	d.makeGolden(&d.req, d.changes(), "knot")
	d.jobs()
	d.OpenFile(filepath.Join(dir, "golden", "knot.case.yaml"))
	d.jobs()
	d.settle()
	good := testkit.Read(t, shader)
	require.NoError(t, os.WriteFile(shader, []byte(strings.Replace(string(good), "mov outColor, color", "mov outColor, colour", 1)), 0o644))
	d.until("the case cannot be drawn", func() bool { return d.Problem() != "" })
	d.problem = strings.ReplaceAll(d.problem, dir, "DIR")
	d.note.text, d.dirty = "", true
	d.shot("case-error")
	require.NoError(t, os.WriteFile(shader, []byte(strings.Replace(string(good), "mov r0.xyz, position", "mul r0.xyz, half, position", 1)), 0o644))
	d.until("it is drawn again", func() bool { return d.Problem() == "" && d.Picture().Golden.Status == golden.Differs })
	d.note.text, d.dirty = "", true
	d.shot("case")
}
