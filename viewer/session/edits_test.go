package session

import (
	"fmt"
	"slices"
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
		path := written(t, passesScene)
		s := open(t, path)
		r := &Request{Draw: -1, Edits: map[string]Edit{}}
		e := Edit{Name: uniform, Draw: name, Values: []any{0.25, 0.5, 0.75, 1.0}}
		r.Edits[e.Key()] = e
		values := func(target int) []float64 {
			one := *r
			one.Rows, one.Target = true, names[target]
			p := render(t, s, &one)
			require.Equal(t, names, p.Names)
			require.Equal(t, names, p.Which)
			u := p.Rows[slices.IndexFunc(p.Rows, func(u Uniform) bool { return u.Key == uniform })]
			require.Equal(t, target == i, u.Changed, "%s of %s", uniform, names[target])
			return u.Values
		}
		for k := range names {
			require.Equal(t, k == i, values(k)[1] == 0.5, "%s while %s is changed", names[k], name)
		}
		s = writeBack(t, s, r)
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
		r.Edits, r.Target = nil, name
		require.Equal(t, []float64{0.25, 0.5, 0.75, 1}, rowsByKey(t, s, r)[uniform].Values, name)
		list := drawsOf(t, s, r)
		for k := range list {
			require.Equal(t, names[k], list[k].Name)
		}
		s.Close()
	}
}

// A value of all draws is written wherever the scene, a pass or a draw has one.
func TestAValueOfAllDrawsIsWrittenEverywhere(t *testing.T) {
	const uniform = "dmp_TexEnv[0].constRgba"
	const own = `uniforms: {"dmp_TexEnv[0].constRgba": [0, 0, 0, 1]}`
	text := own + "\n" + strings.Replace(passesScene, "  - name: behind\n", "  - name: behind\n    "+own+"\n", 1)
	text = strings.Replace(text, "{name: right, model: c}", "{name: right, model: c, "+own+"}", 1)
	path := written(t, text)
	s := open(t, path)
	e := Edit{Name: uniform, Values: []any{0.25, 0.5, 0.75, 1.0}}
	writeBack(t, s, &Request{Draw: -1, Edits: map[string]Edit{e.Key(): e}})
	require.Equal(t, strings.ReplaceAll(text, "[0, 0, 0, 1]", "[0.25, 0.5, 0.75, 1]"), string(testkit.Read(t, path)))
}
