package container

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/cgfx"
	"pica200/tests/testkit"
)

// stripComments replaces comments by the same number of blanks.
func TestStripComments(t *testing.T) {
	for text, want := range map[string]string{
		"a//b\nc": "a   \nc", "a/*b*/c": "a     c", "a/b/c": "a/b/c", "/": "/", "/*": "  ", "a/* b": "a    ", "//": "  ", "a//": "a  ", "": "",
		"/**/x/**/y": "    x    y", "/*/ x */y": "        y", "//*\n*/": "   \n*/", "/*//*/z": "      z", "1/2//3/4\n5": "1/2     \n5", "a//b//c\n/d": "a      \n/d",
		"/*\n*/\n//\n": "     \n  \n", "x/ /y": "x/ /y", "**/ //": "**/   ", "a/*b*/ // c */ d\ne": "a               \ne",
	} {
		got := []byte(text)
		require.Equal(t, want, string(stripComments(got)), "%q", text)
		require.Equal(t, text, string(got), "the argument is not changed")
	}
	long := strings.Repeat("/*x*/1,//y\n", 1000)
	require.Equal(t, strings.Repeat("     1,   \n", 1000), string(stripComments([]byte(long))))
}

// Each model of a banner is searched once; invalid ones are skipped.
func TestBannerModels(t *testing.T) {
	one, two := sample(t, 1), sample(t, 2)
	b := testkit.Must(cgfx.ParseBanner(makeBanner(t, makeCGFX([]string{"basic", "other"}, [][]byte{one, two}))))(t)
	regional := &cgfx.Packed{Data: makeCGFX([]string{"regional"}, [][]byte{two})}
	b.Models[2], b.Models[3], b.Models[4], b.Models[6] = b.Models[0], &cgfx.Packed{Data: []byte("no resource file at all, but long enough")}, regional, regional
	data := testkit.Must(b.Encode())(t)
	found := testkit.Must(extractBanner(data))(t)
	var where []string
	for _, s := range found {
		where = append(where, s.Where)
		require.Equal(t, -1, s.Offset)
	}
	require.Equal(t, []string{cgfx.Regions[0] + ", shader basic", cgfx.Regions[0] + ", shader other", cgfx.Regions[4] + ", shader regional"}, where)
}

// In an ELF file without segments only sections with contents are searched.
func TestELFSections(t *testing.T) {
	one := sample(t, 1)
	for kind, want := range map[uint32]int{0: 0, 1: 1, 8: 0, 9: 1} {
		b := makeELF(one, true)
		le.PutUint32(b[0x34+4:], kind)
		found := testkit.Must(extractELF(b))(t)
		require.Len(t, found, want, "kind %d", kind)
	}
}
