package cgfx

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// realBanners returns the packed banners of the corpus, by name.
func realBanners(t testing.TB) map[string][]byte {
	paths, _ := filepath.Glob("../../../shared/corpus/cgfx/*.b[in]*")
	out := map[string][]byte{}
	for _, path := range paths {
		data := testkit.Read(t, path)
		if IsBanner(data) {
			out[filepath.Base(path)] = data
		}
	}
	if len(out) == 0 {
		t.Skip("needs ../shared/corpus/cgfx")
	}
	return out
}

// A real banner is written from its parts with the same bytes, its model from its structures. Our packer's stream differs, but
// unpacks to the same.
func TestCorpusBannersRoundTrip(t *testing.T) {
	for name, data := range realBanners(t) {
		b := testkit.Must(ParseBanner(data))(t, name)
		f := testkit.Must(Parse(b.Models[0].Data))(t)
		b.Models[0].Data = testkit.Must(f.Encode())(t)
		out := testkit.Must(b.Encode())(t)
		require.True(t, bytes.Equal(data, out), name)
		for _, g := range b.gaps {
			require.True(t, g.zero, "%s: 0x%x: %d bytes after %s", name, g.offset, len(g.data), g.after)
		}

		b.Models[0].stream = nil
		again := mustEncode(t, b)
		c := testkit.Must(ParseBanner(again))(t)
		require.Equal(t, b.Models[0].Data, c.Models[0].Data)
		require.Equal(t, b.Sound, c.Sound)
		t.Logf("%s: the model takes 0x%x bytes packed, 0x%x by our packer", name, b.Models[0].Size, c.Models[0].Size)
	}
}

func mustEncode(t testing.TB, b *Banner) []byte {
	out := testkit.Must(b.Encode())(t)
	return out
}

// many is a banner of several regions; two share a model.
func many(t testing.TB) *Banner {
	model := func(n int) *Packed {
		return &Packed{Data: bytes.Repeat([]byte{byte(n), 1, 2, 3, 4, 5, 6, byte(n)}, 40+n)}
	}
	b := &Banner{Sound: []byte("CWAV and what is behind it"), word: 7}
	b.Models[0], b.Models[3], b.Models[13] = model(0), model(3), model(13)
	b.Models[5] = b.Models[3]
	b.reserved[16] = 9
	b = testkit.Must(ParseBanner(mustEncode(t, b)))(t)
	return b
}

// sameBanner requires equal contents of two banners.
func sameBanner(t testing.TB, a, b *Banner) {
	for i := range a.Models {
		require.Equal(t, a.Models[i] == nil, b.Models[i] == nil, Regions[i])
		if a.Models[i] != nil {
			require.True(t, bytes.Equal(a.Models[i].Data, b.Models[i].Data), Regions[i])
		}
	}
	require.True(t, bytes.Equal(a.Sound, b.Sound))
	require.Equal(t, a.word, b.word)
	require.Equal(t, a.reserved, b.reserved)
}

// A change to any part of a banner is written; the other parts stay.
func TestBannerChangesAreWritten(t *testing.T) {
	for name, change := range map[string]func(*Banner){
		"nothing":           func(*Banner) {},
		"a byte of a model": func(b *Banner) { b.Models[13].Data[5] ^= 1 },
		"a shared model":    func(b *Banner) { b.Models[3].Data[5] ^= 1 },
		"a larger model":    func(b *Banner) { b.Models[0].Data = append(b.Models[0].Data, 1, 2, 3) },
		"a shorter sound":   func(b *Banner) { b.Sound = b.Sound[:9] },
		"another sound":     func(b *Banner) { b.Sound = []byte("CWAV and what is behind us") },
		"no sound":          func(b *Banner) { b.Sound = nil },
		"a region more":     func(b *Banner) { b.Models[1] = &Packed{Data: []byte("CGFX")} },
		"a region less":     func(b *Banner) { b.Models[13] = nil },
		"words":             func(b *Banner) { b.word, b.reserved[0] = 1, 2 },
	} {
		b := many(t)
		change(b)
		once := mustEncode(t, b)
		c := testkit.Must(ParseBanner(once))(t, name)
		require.Empty(t, c.Findings, name)
		sameBanner(t, b, c)
		require.Equal(t, c.Models[3] == c.Models[5], b.Models[3] == b.Models[5], name)
		require.True(t, bytes.Equal(once, mustEncode(t, c)), name)
	}
	b := many(t)
	b.Models[0] = nil
	_, err := b.Encode()
	require.ErrorContains(t, err, "common model")
}

// A damaged banner that can be read is written back with the same bytes.
func TestDamagedBannersRoundTrip(t *testing.T) {
	data := mustEncode(t, many(t))
	read := 0
	try := func(data []byte) {
		b, err := ParseBanner(data)
		if err != nil {
			return
		}
		read++
		require.Equal(t, data, mustEncode(t, b))
	}
	for n := range data {
		try(data[:n])
	}
	for at := range bannerHeader.Size {
		for _, v := range []byte{0, 1, 0x88, 0x8C, 0xFF} {
			bad := bytes.Clone(data)
			bad[at] = v
			try(bad)
		}
	}
	require.Greater(t, read, 400)
}
