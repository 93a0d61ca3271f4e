package source

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// An error of a draw names the file, the draw's line and the shader's, also if the draw runs after others were made, or
// in a later frame of a recording.
func TestErrorsOfDrawsHaveAPlace(t *testing.T) {
	dir := t.TempDir()
	const shader = ".out o0 position\n.in p\n.bool go\n.proc main\nmov o0, p\nifu go\nl:\njmpu go, l\n.end\nend\n.end\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "h.v.pica"), []byte(shader), 0o666))
	const head = "models: {b: {shape: box}, q: {shape: quad}}\nprograms: {h: {sources: [h.v.pica]}}\n"
	hangs := func(from string) string { return "  - {model: q, program: h, uniforms: {go: " + from + "}}\n" }
	for _, c := range []struct{ text, place string }{
		{head + "draws:\n  - {model: b}\n" + hangs("true") + "  - {model: b}\n", "s.yaml:5:"},
		{head + "passes:\n  - name: p\n    target: {width: 8, height: 8}\n    draws:\n    " + hangs("true") + "draws:\n  - {model: b}\n", "s.yaml:7:"},
	} {
		path := filepath.Join(dir, "s.yaml")
		require.NoError(t, os.WriteFile(path, []byte(c.text), 0o666))
		s := opened(t, path, Options{})
		for _, do := range []func() error{
			func() error { _, err := s.Draw(t.Context(), &Request{}); return err },
			func() error { _, err := s.Record(t.Context(), 0, 1); return err },
		} {
			err := do()
			require.ErrorContains(t, err, dir)
			require.ErrorContains(t, err, c.place)
			require.ErrorContains(t, err, "h.v.pica:8: jmpu go, l")
			require.ErrorContains(t, err, "never reaches END")
			require.NotContains(t, err.Error(), "command list")
		}
	}
	// The second frame of a recording fails, at its own draw.
	const turned = ".fvec modelView[4]\n.constf k(0.5, 0.5, 0.5, 0.5)\n.out o0 position\n.in p\n.proc main\nmov o0, p\nmov r0, modelView[0]\ncmp k, gt, gt, r0\nl:\njmpc cmp.x, l\nend\n.end\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "h.v.pica"), []byte(turned), 0o666))
	path := filepath.Join(dir, "turned.yaml")
	require.NoError(t, os.WriteFile(path, []byte(head+"draws:\n  - {model: b}\n  - {model: q, program: h, spin: [90, 0, 1, 0]}\n  - {model: b}\n"), 0o666))
	s := opened(t, path, Options{})
	drawn(t, s, Request{})
	_, err := s.Record(t.Context(), 0, 1)
	require.ErrorContains(t, err, "turned.yaml:5:")
	require.ErrorContains(t, err, ": q (line 5): ")

	require.NoError(t, os.WriteFile(filepath.Join(dir, "arm.cgfx"), testkit.Read(t, testdata+"models/arm.cgfx"), 0o666))
	for mesh, says := range map[string]string{"arm_0": "", "nothing": "model m has no mesh"} {
		path = filepath.Join(dir, "mesh.yaml")
		require.NoError(t, os.WriteFile(path, []byte("models: {m: arm.cgfx}\ndraws: [{model: m, mesh: "+mesh+"}]\n"), 0o666))
		if s, err = Open(path, Options{}); err == nil {
			_, err = s.Draw(t.Context(), &Request{})
		}
		if says == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, says)
			require.ErrorContains(t, err, "mesh.yaml:2:")
		}
	}

	path = filepath.Join(dir, "alone.v.pica")
	require.NoError(t, os.WriteFile(path, []byte(".out o0 position\n.in p\n.proc main\nmov o0, p\nl:\njmpu !b0, l\nend\n.end\n"), 0o666))
	_, err = testkit.Must(Open(path, Options{}))(t).Draw(t.Context(), &Request{})
	require.ErrorContains(t, err, path)
	require.ErrorContains(t, err, "alone.v.pica:6: jmpu !b0, l")
}
