package cgfx

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/texture"
	"pica200/tests/testkit"
)

// Golden file: findings in files with one damaged position, and their new layout; also of a banner.
func TestDamagedFileFindings(t *testing.T) {
	look := testkit.Look(Parse, func(f *File) ([]string, string) {
		sentences := testkit.Sentences(f.Check())
		out, err := f.Relayout()
		return sentences, fmt.Sprintf("%08x %v", crc32.ChecksumIEEE(out), err)
	})
	text := ""
	for _, c := range []struct {
		name           string
		from, to, step int
	}{{"more", 0, 0x90, 8}, {"more", 0x94, 0x4D00, 1044}, {"kit", 0x94, 0x5500, 2204}, {"shapes", 0x94, 0xB000, 7500}} {
		data := testkit.Read(t, "../../testdata/models/"+c.name+".cgfx")
		text += c.name + "\n" + testkit.Damage(data, c.from, c.to, c.step, look)
	}
	data := mustEncode(t, many(t))
	text += "banner\n" + testkit.Damage(data, 0, len(data), 8, testkit.Look(ParseBanner, func(b *Banner) ([]string, string) {
		return testkit.Sentences(b.Findings), fmt.Sprintf("%08x %d %d %d", crc32.ChecksumIEEE(mustEncode(t, b)), b.SoundAt, len(b.Sound), len(b.gaps))
	}))
	testkit.Golden(t, "testdata/damage.txt", []byte(text))
}

// Golden file: everything read from our own files.
func TestFileContents(t *testing.T) {
	text := ""
	for _, name := range []string{"more", "kit", "shapes", "textures"} {
		data := testkit.Read(t, "../../testdata/models/"+name+".cgfx")
		f := testkit.Must(Parse(data))(t)
		f.data, f.layout = nil, nil
		dump := testkit.Dump(f)
		text += fmt.Sprintf("%s: %d bytes as text, CRC-32 %08x\n", name, len(dump), crc32.ChecksumIEEE([]byte(dump)))
		for _, x := range f.Textures.Values() {
			for i := range x.Images {
				im := testkit.Must(x.Decode(i))(t)
				text += fmt.Sprintf("  %s: %d levels, CRC-32 %08x\n", x.Name, x.MipLevels(), crc32.ChecksumIEEE([]byte(testkit.Dump(im))))
			}
		}
	}
	testkit.Golden(t, "testdata/read.txt", []byte(text))
}

// Golden file: curves of every interpolation and repetition, before, between and after their keys.
func TestCurveValues(t *testing.T) {
	keys := []byte{}
	for _, v := range []uint32{0x41200000, 0x3F800000, 0x3F000000, 0xBF000000, 0x41A00000, 0x40000000, 0x3E800000, 0x3F400000, 0x41F00000, 0xC0000000, 0, 0x3F800000} {
		keys = le.AppendUint32(keys, v)
	}
	text := ""
	for q := range Quantization(8) {
		for kind := range uint32(3) {
			s := &Segment{Start: 10, End: 30, Flags: kind<<2 | uint32(q)<<5, Scale: 0.5, Offset: 0.25, FrameScale: 0.5, Keys: keys[:len(keys)/keyBytes[q]*keyBytes[q]]}
			for way := range Repeat(4) {
				u := &Curve{Span: Span{Start: 10, End: 30, Pre: way, Post: 3 - way}, Segments: []*Segment{s}}
				slot := Slot{Curve: u, Is: Curved}
				text += fmt.Sprintf("%v %d %v:", q, kind, way)
				for _, at := range []float32{-45, 0, 9.5, 10, 12.5, 20, 29, 30, 31, 45, 77} {
					text += fmt.Sprintf(" %.5g", slot.At(at, 99))
				}
				text += "\n"
			}
		}
	}
	s := &Segment{Start: 10, End: 30, Scale: 0.5, Offset: 0.25, FrameScale: 0.5, Keys: keys}
	whole := &Curve{Span: Span{Start: 10, End: 30}, Segments: []*Segment{s}}
	part := &Curve{Span: whole.Span, Segments: []*Segment{nil, s, nil}} // two unreadable segments
	for _, at := range []float32{10, 15, 29} {
		require.Equal(t, whole.at(at), part.at(at))
	}
	for _, way := range []Repeat{Clamp, Loop, Mirror, LoopRelative} {
		b := &BoolCurve{Span: Span{Start: 2, End: 11, Pre: way, Post: way}, Bits: []byte{0b10110101, 0b10}}
		v := &Baked{Span: Span{Start: 2, End: 4, Pre: way, Post: way}, Values: []float32{1, 2, 3, 4, 5, 6}}
		text += fmt.Sprintf("bits and frames %v:", way)
		for at := float32(-9); at < 20; at += 1.5 {
			from, to, u := v.At(at, 3)
			text += fmt.Sprintf(" %v %g %g %.3g;", b.At(at), from, to, u)
		}
		text += "\n"
	}
	for _, s := range []Slot{{Is: Missing}, {Is: Constant, Constant: 4}, {Is: Curved}, {Is: Curved, Curve: &Curve{Span: Span{Flags: curveConstant}, Value: 6}}, {Is: Curved, Curve: &Curve{}}} {
		text += fmt.Sprintf("slot %d: %g\n", s.Is, s.At(3, 99))
	}
	testkit.Golden(t, "testdata/curves.txt", []byte(text))
}

// seeds adds the samples at hand to a fuzz target.
func seeds(f *testing.F, prefix string) {
	for _, pattern := range []string{"../../explain/inspect/testdata/*", "testdata/*", "../../testdata/models/*", "../../../shared/corpus/cgfx/*.[cb]*"} {
		paths, _ := filepath.Glob(pattern)
		for _, path := range paths {
			if data, err := os.ReadFile(path); err == nil && len(data) < 1<<17 && bytes.HasPrefix(data, []byte(prefix)) {
				f.Add(data)
			}
		}
	}
}

// Parse of any bytes ends in bounded memory; a parsed file can be checked, shown, written unchanged and given a new layout.
func FuzzCGFX(f *testing.F) {
	seeds(f, magic)
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Parse(data)
		if err != nil {
			return
		}
		r.Check()
		out, err := r.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(out, data) {
			t.Fatal("a file is written back with other bytes")
		}
		shown := 0
		for _, n := range r.Tree() {
			if n.Children == nil {
				continue
			}
			for range n.Children {
				shown++
			}
		}
		for _, x := range r.Textures.Values() {
			for i := range x.Images {
				_, _ = x.Decode(i)
			}
			x.MipLevels()
		}
		for _, a := range r.SkeletalAnimations.Values() {
			for _, m := range a.Members.Values() {
				for i := range m.Slots {
					m.Slots[i].At(1.5, 0)
				}
			}
		}
		once, err := r.Relayout()
		if err != nil {
			return // too large to be written
		}
		if _, err := Parse(once); err != nil {
			t.Fatal(err)
		}
	})
}

// A banner that can be read is written unchanged; a new layout keeps its contents, also after a change of the model.
func FuzzCBMD(f *testing.F) {
	seeds(f, MagicCBMD)
	f.Add(mustEncode(f, many(f)))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := ParseBanner(data)
		if err != nil {
			return
		}
		if !bytes.Equal(data, mustEncode(t, b)) {
			t.Fatal("a banner is written back with other bytes")
		}
		anew, err := b.relayout()
		if err != nil {
			t.Fatal(err)
		}
		c, err := ParseBanner(anew)
		if err != nil {
			t.Fatal(err)
		}
		sameBanner(t, b, c)
		total := 0
		for _, p := range b.Models {
			if p != nil {
				_, _ = Parse(p.Data)
				total += len(p.Data)
			}
		}
		if p := b.Models[0]; len(p.Data) > 0 && total < 1<<16 { // packing is slow
			p.Data[len(p.Data)/2] ^= 0x55
			if c, err = ParseBanner(mustEncode(t, b)); err != nil {
				t.Fatal(err)
			}
			sameBanner(t, b, c)
		}
	})
}

// Packing with LZ11 and unpacking gives the same bytes; unpacking any bytes ends.
func FuzzLZ11(f *testing.F) {
	f.Add([]byte("abcabcabcabcabc"))
	f.Add([]byte{0x11, 5, 0, 0, 0, 1, 2, 3, 4, 5})
	f.Add(make([]byte, 5000))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _, _ = texture.Unpack(data, 1<<20)
		data = data[:min(len(data), 1<<13)] // packing looks 4096 bytes back for each byte
		packed, err := texture.Pack(data, texture.LZ11)
		if err != nil {
			t.Fatal(err)
		}
		out, used, err := texture.Unpack(packed, len(data))
		if err != nil || !bytes.Equal(out, data) || used > len(packed) {
			t.Fatalf("%d bytes: %v", len(data), err)
		}
	})
}
