package engine

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the tables of docs/SERVE.md anew")

// docs/SERVE.md has every request and every picture, as the tables have them.
func TestServePage(t *testing.T) {
	const path = "../../docs/SERVE.md"
	page, err := os.ReadFile(path)
	require.NoError(t, err)
	const head = "| op | looks at | gives |\n|---|---|---|\n"
	const list = "Pictures (`what` of `picture`): "
	before, rest, ok := strings.Cut(string(page), list)
	require.True(t, ok)
	_, rest, ok = strings.Cut(rest, ".\n")
	require.True(t, ok)
	middle, rest, ok := strings.Cut(rest, head)
	require.True(t, ok)
	_, after, _ := strings.Cut(rest, "\n\n") // the table ends the page, or a line is free behind it
	var b strings.Builder
	for _, o := range Ops() {
		fmt.Fprintf(&b, "| `%s` | %s | %s *%s* |\n", o.Name, o.Args, o.Doc, o.Answers)
	}
	want := before + list + "`" + strings.Join(PictureNames(), "`, `") + "`.\n" + middle + head + b.String()
	if after != "" {
		want += "\n" + after
	}
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(want), 0o666))
		return
	}
	require.Equal(t, want, string(page), "go test ./serve/engine -run TestServePage -update")
}
