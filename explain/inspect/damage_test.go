package inspect

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"testing"

	"pica200/assets/tree"
	"pica200/tests/testkit"
)

// Golden file: findings and text for files of every format with one damaged position.
func TestDamagedFileFindings(t *testing.T) {
	all := samples()
	text := ""
	for _, name := range slices.Sorted(maps.Keys(all)) {
		data := all[name]
		step := map[string]int{"model.bch": 8004, "mali.mbs": 92, "resource.bcsdr": 28, "trace.ctf": 508, "trace.picatrace": 500, "object.dvoj": 5, "shader.shbin": 7, "list.bin": 3, "model.obj": 2, "picture.t3x": 6, "banner.bnr": 12}[name]
		if step == 0 {
			step = 11
		}
		text += name + "\n" + testkit.Damage(data, 0, len(data), step, testkit.Look(func(data []byte) (*Document, error) { return Open(data, formatOf[name]) }, func(d *Document) ([]string, string) {
			var b bytes.Buffer
			err := tree.WriteText(&b, d.Document, d.Check(), tree.Options{})
			return testkit.Sentences(d.Check()), fmt.Sprintf("%08x %v", crc32.ChecksumIEEE(b.Bytes()), err)
		}))
	}
	testkit.Golden(t, "testdata/damage.txt", []byte(text))
}
