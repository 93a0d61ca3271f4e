package model

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// with puts a value at a path of JSON, in the first item of each list.
func with(v any, path []string, value any) any {
	if len(path) == 0 {
		return value
	}
	if list, ok := v.([]any); ok {
		list[0] = with(list[0], path, value)
		return list
	}
	m, ok := v.(map[string]any)
	if !ok {
		m = map[string]any{}
	}
	inner := m[path[0]]
	lists := []string{"materials", "cameras", "textures", "animations", "channels", "targets"}
	if inner == nil && slices.Contains(lists, path[0]) {
		inner = []any{map[string]any{}}
	}
	m[path[0]] = with(inner, path[1:], value)
	return m
}

// A file with a property that is left out has its note and no other; docs/MODELS.md lists all.
func TestEveryDroppedPropertyHasItsNote(t *testing.T) {
	dropped := 0
	for _, p := range Properties {
		if p.Treatment != Dropped {
			continue
		}
		dropped++
		var root any
		require.NoError(t, json.Unmarshal([]byte(triangle("")), &root))
		path := strings.Split(p.Path, ".")
		value := any(map[string]any{})
		switch {
		case slices.Contains(path, "attributes"), slices.Contains(path, "targets"):
			value = 0
		}
		if path[0] == "animations" {
			root = with(root, []string{"animations"}, []any{map[string]any{"channels": []any{map[string]any{"sampler": 0, "target": map[string]any{"path": "pointer"}}}, "samplers": []any{map[string]any{"input": 0, "output": 0}}}})
		}
		text := testkit.Must(json.Marshal(with(root, path, value)))(t)
		m, err := read(t, map[string]string{"a.gltf": string(text)}, "a.gltf")
		require.NoError(t, err, string(text))
		require.Equal(t, []string{p.How}, m.Notes, p.Path)
	}
	require.Greater(t, dropped, 25)
	testkit.GoldenPart(t, "../../docs/MODELS.md", "glTF properties", PropertyTable())
}
