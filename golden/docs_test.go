package golden

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDocumentedExamples parses the case files that docs/GOLDEN.md shows, and
// sees that it names every kind of image.
func TestDocumentedExamples(t *testing.T) {
	page, err := os.ReadFile("../docs/GOLDEN.md")
	require.NoError(t, err)
	for _, b := range strings.Split(string(page), "```yaml\n")[1:] {
		text, _, _ := strings.Cut(b, "```")
		_, err := ParseCase("lit", "docs/GOLDEN.md", []byte(text))
		require.NoError(t, err)
	}
	for _, target := range Targets {
		require.Contains(t, string(page), "`"+target+"`")
	}
}
