package main

import (
	"bytes"
	"testing"

	"github.com/qmuntal/gltf"
	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// testdata/scenes/arm.gltf is what this program writes.
func TestFileIsCurrent(t *testing.T) {
	want := testkit.Read(t, "../../../testdata/scenes/arm.gltf")
	doc := document()
	for _, b := range doc.Buffers {
		b.EmbeddedResource()
	}
	var got bytes.Buffer
	e := gltf.NewEncoder(&got)
	e.AsBinary = false
	require.NoError(t, e.Encode(doc))
	require.JSONEq(t, string(want), got.String(), "the file is out of date; run: go run ./internal/gen/armmodel testdata/scenes/arm.gltf")
}
