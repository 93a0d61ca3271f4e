package engine

import (
	"fmt"
	"strings"
	"testing"

	"pica200/tests/testkit"
)

// docs/PROTOCOL.md lists every request and every picture from the tables.
func TestProtocolPage(t *testing.T) {
	const page = "../../docs/PROTOCOL.md"
	testkit.GoldenPart(t, page, "pictures", "`"+strings.Join(pictureNames(), "`, `")+"`.\n")
	var b strings.Builder
	b.WriteString("op | looks at | gives\n---|---|---\n")
	for _, o := range ops {
		fmt.Fprintf(&b, "`%s` | %s | %s *%s*\n", o.Name, o.args, o.doc, o.answers)
	}
	testkit.GoldenPart(t, page, "requests", b.String())
}
