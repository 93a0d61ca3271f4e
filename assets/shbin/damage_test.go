package shbin

import (
	"fmt"
	"testing"

	"pica200/tests/testkit"
)

// Golden file: errors and contents of files and objects with one damaged position, and names of registers.
func TestDamagedFileFindings(t *testing.T) {
	data := sample(t)
	text := testkit.Damage(data, 0, len(data), 2, testkit.Look(Parse, func(f *File) ([]string, string) {
		out := testkit.Dump(f)
		for _, e := range f.Executables {
			out += fmt.Sprintln(e.Fits(), e.Type, e.Geometry.Mode)
			for _, c := range e.Constants {
				out += fmt.Sprintln(c.Kind, c.Bool(), c.Int(), c.Float())
			}
			for _, o := range e.Outputs {
				out += fmt.Sprintln(o.Type, o.Type.Components(), o.Mapped())
			}
		}
		return nil, out
	}))
	object := testkit.Must(WriteObject(sampleObject()))(t)
	text += testkit.Damage(object, 0, len(object), 2, testkit.Look(ParseObject, func(o *Object) ([]string, string) {
		again, err := WriteObject(o)
		return nil, fmt.Sprintf("%s %x %v", testkit.Dump(o), again, err)
	}))
	for r := range uint16(0x90) {
		text += RegisterName(r) + " "
	}
	testkit.Golden(t, "testdata/damage.txt", []byte(text+"\n"))
}
