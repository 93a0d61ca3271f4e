package modeldraw

import (
	"fmt"
	"hash/fnv"
	"image"
	"path/filepath"
	"strings"
	"testing"

	"pica200/tests/testkit"
)

// Pictures of real files have the checksums in testdata/corpus.txt; -update writes them.
func TestCorpusPictureChecksums(t *testing.T) {
	paths, _ := filepath.Glob("../../../shared/corpus/cgfx/*.[cb]*")
	if len(paths) == 0 {
		t.Skip("needs ../shared/corpus/cgfx")
	}
	var b strings.Builder
	for _, path := range paths {
		data := testkit.Read(t, path)
		img, notes := shot(t, data, 30)
		sum := fnv.New64a()
		sum.Write(img.(*image.NRGBA).Pix)
		fmt.Fprintf(&b, "%016x %2d notes  %s\n", sum.Sum64(), len(notes), filepath.Base(path))
	}
	testkit.Golden(t, "testdata/corpus.txt", []byte(b.String()))
}
