package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/qmuntal/gltf"
	"github.com/stretchr/testify/require"
)

// TestFile holds the model in testdata/scenes to what this program writes.
func TestFile(t *testing.T) {
	want, err := os.ReadFile("../../testdata/scenes/arm.gltf")
	require.NoError(t, err)
	doc := document()
	for _, b := range doc.Buffers {
		b.EmbeddedResource()
	}
	var got bytes.Buffer
	e := gltf.NewEncoder(&got)
	e.AsBinary = false
	require.NoError(t, e.Encode(doc))
	require.JSONEq(t, string(want), got.String(), "make it anew: go run ./gen/armmodel testdata/scenes/arm.gltf")
}
