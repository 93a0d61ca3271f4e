package mbs

import (
	"bytes"
	"fmt"
	"testing"

	"pica200/tests/testkit"
)

// What is said of a file that is damaged in one place, and what it is as text and as code.
func TestWhatIsSaidOfDamage(t *testing.T) {
	look := testkit.Look(Parse, func(f *File) ([]string, string) {
		sentences := testkit.Sentences(f.Check())
		var code bytes.Buffer
		err := f.Disassemble(&code)
		text, err2 := f.MarshalText()
		if err2 == nil {
			if _, err3 := ParseText("x", text); err3 != nil {
				sentences = append(sentences, err3.Error())
			}
		}
		return sentences, fmt.Sprintf("%s %v %s %v", code.Bytes(), err, text, err2)
	})
	data := sampleFile().Encode()
	f, err := Parse(data)
	text := fmt.Sprintf("%v\n%s\n", err, testkit.Dump(f)) + testkit.Damage(data, 0, len(data), 52, look)
	testkit.Golden(t, "testdata/damage.txt", []byte(text))
}
