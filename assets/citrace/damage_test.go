package citrace

import (
	"fmt"
	"testing"

	"pica200/tests/testkit"
)

// Golden file: findings and contents of recordings with one damaged position.
func TestDamagedFileFindings(t *testing.T) {
	look := testkit.Look(Parse, func(tr *Trace) ([]string, string) {
		sentences := testkit.Sentences(tr.Findings)
		tr.Findings, tr.data = nil, nil
		return sentences, fmt.Sprint(tr.Frames(), testkit.Dump(tr))
	})
	text := ""
	for _, layout := range []Layout{Direct, Tagged} {
		b := &Builder{Layout: layout}
		b.Initial[GPURegisters] = []uint32{1, 2, 3}
		b.Initial[LCDRegisters] = []uint32{4, 5}
		b.Initial[PICARegisters] = []uint32{6, 7, 8, 9}
		b.Initial[VSFloatUniforms] = []uint32{0x3F800000, 1 << 24}
		b.Load(0x18000000, []byte{1, 2, 3, 4, 5})
		if layout == Tagged {
			b.WriteWidth(0x10202204, 1, 7)
			b.WriteWidth(0x10400010, 8, 1<<40)
		}
		b.Write(0x10401000, 9)
		b.EndFrame()
		b.Load(0x18000000, []byte{1, 2, 3, 4, 5})
		b.Load(0x18001000, []byte{1, 2, 3})
		b.EndFrame()
		data := testkit.Must(b.Encode())(t)
		sentences, found := look(data)
		text += fmt.Sprintf("%v: %d bytes: %x\n%q\n%s\n", layout, len(data), data, sentences, found)
		text += testkit.Damage(data, 0, len(data), 4, look)
	}
	testkit.Golden(t, "testdata/damage.txt", []byte(text))
}
