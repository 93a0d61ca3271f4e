package session

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// passesScene has draws in two passes and in the main one.
const passesScene = `target: {width: 64, height: 64}
models: {q: {shape: quad}, c: {shape: cone}}
passes:
  - name: behind
    target: {width: 32, height: 32}
    draws:
      - {name: left, model: q}
      - {model: c}
  - name: above
    target: {width: 32, height: 32}
    draws:
      - {name: left, model: q}
draws:
  - {name: left, model: q}
  - {name: right, model: c}
`

// Each draw of each pass can be edited alone: its values are shown, other draws do not change, and saving writes to that draw.
func TestEveryDrawCanBeEdited(t *testing.T) {
	names := []string{"behind/left", "behind/c", "above/left", "main/left", "main/right"}
	const uniform = "dmp_TexEnv[0].constRgba"
	for i, name := range names {
		path := filepath.Join(t.TempDir(), "s.yaml")
		require.NoError(t, os.WriteFile(path, []byte(passesScene), 0o644))
		src, err := Open(path, Options{})
		require.NoError(t, err)
		t.Cleanup(src.Close)
		s := src.(*sceneSource)
		r := &Request{Draw: -1, Edits: map[string]Edit{}}
		e := Edit{Name: uniform, Draw: i, Values: []any{0.25, 0.5, 0.75, 1.0}}
		r.Edits[e.Key()] = e
		values := func(target int) []float64 {
			one := *r
			one.Rows, one.Target = true, target+1
			p, err := s.Render(t.Context(), &one)
			require.NoError(t, err)
			require.Equal(t, names, p.Names)
			require.Equal(t, []int{0, 1, 2, 3, 4}, p.Which)
			for _, u := range p.Rows {
				if u.Key == uniform {
					require.Equal(t, target == i, u.Changed, "%s of %s", uniform, names[target])
					return u.Values
				}
			}
			t.Fatal("no row")
			return nil
		}
		for k := range names {
			require.Equal(t, k == i, values(k)[1] == 0.5, "%s while %s is changed", names[k], name)
		}
		n, err := s.WriteBack(t.Context(), r)
		require.NoError(t, err)
		require.Equal(t, 1, n)
		text := testkit.Read(t, path)
		lines, was := strings.Split(string(text), "\n"), strings.Split(passesScene, "\n")
		changed := ""
		for k := range was {
			if lines[k] != was[k] {
				changed += fmt.Sprint(was[k])
			}
		}
		require.Contains(t, changed, []string{"- {name: left", "- {model: c", "- {name: left", "- {name: left", "- {name: right"}[i])
		require.Equal(t, 1, strings.Count(string(text), "[0.25, 0.5, 0.75, 1]"))
		r.Edits = nil
		require.Equal(t, []float64{0.25, 0.5, 0.75, 1}, func() []float64 {
			one := *r
			one.Rows, one.Target = true, i+1
			p, err := s.Render(t.Context(), &one)
			require.NoError(t, err)
			for _, u := range p.Rows {
				if u.Key == uniform {
					return u.Values
				}
			}
			return nil
		}(), name)
		list, err := drawsOf(s.List(t.Context(), r))
		require.NoError(t, err)
		for k := range list {
			require.Equal(t, names[k], list[k].Name)
		}
		src.Close()
	}
}
