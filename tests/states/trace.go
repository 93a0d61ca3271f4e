package states

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
)

// Parse parses a recording.
func Parse(t testing.TB, data []byte) *picatrace.Trace {
	t.Helper()
	trace, err := picatrace.Parse(data)
	require.NoError(t, err)
	return trace
}
