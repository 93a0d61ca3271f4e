package mbs

import (
	"fmt"
	"testing"

	"pica200/tests/testkit"
)

// Golden file: findings of a file with one damaged position.
func TestDamagedFileFindings(t *testing.T) {
	look := testkit.Look(Parse, func(f *File) ([]string, string) { return testkit.Sentences(f.Check()), "" })
	data := own(t)
	f, err := Parse(data)
	text := fmt.Sprintf("%v\n%s\n", err, testkit.Dump(f)) + testkit.Damage(data, 0, len(data), 52, look)
	testkit.Golden(t, "testdata/damage.txt", []byte(text))
}
