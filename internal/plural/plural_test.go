package plural

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOf(t *testing.T) {
	require.Equal(t, []string{"0 frames", "1 frame", "2 frames", "-1 frames"},
		[]string{Of(0, "frame"), Of(1, "frame"), Of(2, "frame"), Of(-1, "frame")})
}
