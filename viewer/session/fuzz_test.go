package session

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/internal/demo"
	"pica200/scene"
	"pica200/tests/testkit"
)

// FuzzExplain explains a pixel of a damaged trace: the result is valid for JSON, or an error.
func FuzzExplain(f *testing.F) {
	data := testkit.Must(demo.Trace(context.Background(), 1))(f)
	f.Add(uint32(0), uint32(0), 100, 100)
	f.Add(uint32(len(data)/2), uint32(0x80000000), 0, 399)
	f.Add(uint32(len(data)-300), uint32(0xFFFF), -1, 1<<30)
	f.Fuzz(func(t *testing.T, at, flip uint32, x, y int) {
		bad := append([]byte(nil), data...)
		for k := range 4 {
			bad[(int(at)+k)%len(bad)] ^= byte(flip >> (8 * k))
		}
		path := filepath.Join(t.TempDir(), "t.ctf")
		require.NoError(t, os.WriteFile(path, bad, 0o666))
		s, err := Open(path, Options{})
		if err != nil {
			return
		}
		defer s.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		e, err := s.ExplainPixel(ctx, &Picture{Request: *request(), Target: true}, x, y)
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		require.NotEmpty(t, e.Text())
		testkit.Must(json.Marshal(e))(t)
	})
}

// FuzzSave saves arbitrary scenes with a changed uniform: the copy can be read, and the opened file changes only when it is saved
// into.
func FuzzSave(f *testing.F) {
	for _, path := range []string{"../testdata/triangles.yaml", "../testdata/views.yaml", "../../testdata/scenes/lit.yaml"} {
		text := testkit.Read(f, path)
		f.Add(string(text), 0.5)
	}
	f.Add("models: {q: {shape: quad}}\nuniforms: {a: &a 1, b: *a}\ndraws: [{<<: {model: q}, \"name\": \"a\\u0085b: [#\"}]\n", 1e300)
	f.Add("a: &a [1,1,1,1]\nb: &b [*a,*a,*a,*a]\nmodels: {q: {shape: quad}}\ndraws: [{model: q, name: *b}]\n", 0.0)
	f.Fuzz(func(t *testing.T, text string, value float64) {
		dir := t.TempDir()
		path := filepath.Join(dir, "s.yaml")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		s, err := Open(path, Options{})
		if err != nil {
			return
		}
		defer s.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		r := request()
		r.Orbit.Yaw = value
		r.Edits = edits(Edit{Name: "dmp_FragmentMaterial.diffuse#1", Values: []any{value}})
		saved := filepath.Join(dir, "copy.yaml")
		err = s.(Writer).CopyTo(ctx, r, saved)
		now, rerr := os.ReadFile(path)
		require.NoError(t, rerr)
		require.Equal(t, text, string(now))
		if err != nil {
			entries := testkit.Must(os.ReadDir(dir))(t)
			require.Len(t, entries, 1, "a failed save leaves no file")
			return
		}
		testkit.Must(scene.Load(saved))(t)

		// Saving into the file leaves it unchanged after an error.
		_, werr := s.(Writer).WriteBack(ctx, r)
		now = testkit.Read(t, path)
		if werr != nil {
			require.Equal(t, text, string(now))
			return
		}
		testkit.Must(scene.Load(path))(t)
	})
}
