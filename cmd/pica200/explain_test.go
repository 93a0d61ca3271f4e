package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The procedural texture's colour table entry is shown in text, page and JSON.
func TestExplainShowsColorTableEntry(t *testing.T) {
	const scene = "../../testdata/scenes/wood.yaml"
	text := ok(t, "explain", scene, "200", "120")
	require.Regexp(t, `\n    colours      level 0: 128 from 0 on, linear\n      entry \d+ +(\d+ +){4}\+ \[.*\] x 0\.\d+ = \[.*\], at \d+\.\d+\n`, text)
	entry := regexp.MustCompile(`entry \d+`).FindString(text)
	_, page, _ := invoke(t, "explain", scene, "200", "120", "--html", "-")
	require.Contains(t, page, `<td class="n">      `+entry)
	_, record, _ := invoke(t, "explain", scene, "200", "120", "--json")
	require.Contains(t, record, `"index": `+strings.TrimPrefix(entry, "entry "))
}
