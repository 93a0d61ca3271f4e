package cgfx

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"pica200/assets/texture"
)

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
