package mbs

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"reflect"
	"testing"

	"pica200/assets/tree"
	"pica200/tests/testkit"
)

// Golden file: findings and code of a file with one damaged position.
func TestDamagedFileFindings(t *testing.T) {
	look := testkit.Look(Parse, func(f *File) ([]string, string) {
		sentences := testkit.Sentences(f.Check())
		var code bytes.Buffer
		err := f.Disassemble(&code)
		return sentences, fmt.Sprintf("%s %v", code.Bytes(), err)
	})
	data := sampleFile().Encode()
	f, err := Parse(data)
	text := fmt.Sprintf("%v\n%s\n", err, testkit.Dump(f)) + testkit.Damage(data, 0, len(data), 52, look)
	testkit.Golden(t, "testdata/damage.txt", []byte(text))
}

// Golden file: findings and encoding of a shader with one changed number.
func TestChangedNumberFindings(t *testing.T) {
	var b bytes.Buffer
	for n, s := range []*Shader{sampleVertex(), sampleFragment()} {
		testkit.Numbers(s, func(path string, v reflect.Value) {
			old := reflect.New(v.Type()).Elem()
			old.Set(v)
			sum, said := crc32.NewIEEE(), 0
			values := []int{0, 1, 2, 3, 5, 6, 7, 8, 15, 16, 17, 24, 255, 0xFFFF}
			if v.CanUint() {
				values = append(values, int(old.Uint())+1, int(old.Uint())-1)
			}
			for _, to := range values {
				testkit.SetNumber(v, to)
				var findings tree.Findings
				s.check(&findings)
				said += len(findings)
				fmt.Fprintln(sum, to, testkit.Sentences(findings))
				if to == 2 || to == 7 {
					data := NewFile(s).Encode()
					f, err := Parse(data)
					if fmt.Fprintln(sum, data, err); err == nil {
						fmt.Fprintln(sum, testkit.Sentences(f.Check()), f.Disassemble(sum))
					}
				}
				v.Set(old)
			}
			fmt.Fprintf(&b, "%d%s: %d findings, CRC-32 %08x\n", n, path, said, sum.Sum32())
		})
	}
	testkit.Golden(t, "testdata/numbers.txt", b.Bytes())
}
