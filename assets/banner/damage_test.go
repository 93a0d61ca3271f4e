package banner

import (
	"fmt"
	"hash/crc32"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/model"
	"pica200/pica"
	"pica200/tests/testkit"
)

// What is said of banners that are damaged in one place.
func TestWhatIsSaidOfDamage(t *testing.T) {
	text := ""
	for _, c := range []struct {
		name           string
		from, to, step int
	}{{"kit.cgfx", 0x94, 0x5500, 404}, {"arm.bnr", 0, 0xA0, 12}} {
		data := testkit.Read(t, "../../testdata/models/"+c.name)
		text += c.name + "\n" + testkit.Damage(data, c.from, c.to, c.step, func(data []byte) (sentences []string, _ string) {
			list, err := Lint(data)
			if err != nil {
				return []string{err.Error()}, ""
			}
			for _, x := range list {
				sentences = append(sentences, fmt.Sprintf("%+v", x))
			}
			return sentences, ""
		})
	}
	testkit.Golden(t, "testdata/damage.txt", []byte(text))
}

// What banners of our own models are, with every option.
func TestWhatIsBuilt(t *testing.T) {
	text := ""
	m, err := model.Load("../../testdata/scenes/arm.gltf")
	require.NoError(t, err)
	for _, o := range []Options{{Animation: -1}, {Format: pica.TextureFormatRGBA8, Scale: 2}, {Format: pica.TextureFormatETC1, Unlit: true, MaxTexture: 8}, {Animation: 5}, {Format: pica.TextureFormatA4, Animation: -1}} {
		f, notes, err := Build(m, o)
		if err != nil {
			text += fmt.Sprintf("%+v: %v\n", o, err)
			continue
		}
		data, err := f.Relayout()
		text += fmt.Sprintf("%+v: %d bytes, CRC-32 %08x %v %q\n", o, len(data), crc32.ChecksumIEEE(data), err, notes)
	}
	testkit.Golden(t, "testdata/built.txt", []byte(text))
}
