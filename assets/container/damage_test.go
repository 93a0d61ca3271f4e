package container

import (
	"encoding/base64"
	"fmt"
	"testing"

	"pica200/tests/testkit"
)

// Golden file: shaders found in containers of every kind with one damaged position, and the errors.
func TestDamagedContainers(t *testing.T) {
	look := func(data []byte) (sentences []string, found string) {
		format, list, err := Extract(data)
		if err != nil {
			sentences = append(sentences, err.Error())
		}
		for _, s := range list {
			sentences = append(sentences, fmt.Sprintf("%v %d bytes %v", s.Object, len(s.Data), s.Where))
		}
		return sentences, fmt.Sprint(format, testkit.Dump(list))
	}
	one := sample(t, 1)
	text := ""
	for _, c := range []struct {
		name string
		data []byte
	}{
		{"shbin", one}, {"object", object(t)}, {"3DSX", make3DSX(one, one, one, 4)}, {"ELF", makeELF(one, false)}, {"ELF with sections", makeELF(one, true)},
		{"archive", makeArchive(member("//", []byte("a_long_name/\n")), member("/0", makeELF(one, true)), member("#1/4", one), member("b", object(t)))},
		{"CGFX", makeCGFX([]string{"basic", "reference"}, [][]byte{one, nil})}, {"C", []byte(CArray("a", one) + "\nother text { 1, 2, 0x33 };\n" + CArray("b", object(t)))},
		{"base64", []byte("<a>" + lines(base64.StdEncoding.EncodeToString(object(t)), 20) + "</a>, RFZMQg== " + base64.StdEncoding.EncodeToString(one))},
	} {
		sentences, found := look(c.data)
		text += fmt.Sprintf("%s: %q\n%s\n", c.name, sentences, found) + testkit.Damage(c.data, 0, len(c.data), max(len(c.data)/40, 1)|1, look)
	}
	testkit.Golden(t, "testdata/damage.txt", []byte(text))
}
