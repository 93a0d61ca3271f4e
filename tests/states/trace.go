package states

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
	"pica200/assets/picatrace"
)

// Parse parses a recording.
func Parse(t testing.TB, data []byte) *picatrace.Trace {
	t.Helper()
	trace, err := picatrace.Parse(data)
	require.NoError(t, err)
	return trace
}

// Built is the recording of a builder.
func Built(t testing.TB, b *citrace.Builder) *picatrace.Trace {
	t.Helper()
	data, err := b.Encode()
	require.NoError(t, err)
	return Parse(t, data)
}
