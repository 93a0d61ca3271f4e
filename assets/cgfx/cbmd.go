package cgfx

import (
	"bytes"
	"fmt"

	"pica200/assets/texture"
	"pica200/assets/tree"
)

// MagicCBMD is the start of a banner file.
const MagicCBMD = "CBMD"

const (
	bannerRegions  = 14 // the common model and 13 of regions and languages
	maxBannerModel = 8 << 20
	// maxBannerModels bounds the total size of the unpacked models.
	maxBannerModels = 4 * maxBannerModel
	// BannerLimit is the greatest unpacked size of a banner's model, in bytes, that
	// the HOME Menu accepts. Source: 3dbrew, "CBMD".
	BannerLimit = 0x80000
)

// Regions names the models of a banner, in order. Source: 3dbrew, "CBMD".
var Regions = [bannerRegions]string{"common", "EUR English", "EUR French", "EUR German", "EUR Italian", "EUR Spanish", "EUR Dutch",
	"EUR Portuguese", "EUR Russian", "JPN Japanese", "USA English", "USA French", "USA Spanish", "USA Portuguese"}

var errBannerModels = fmt.Errorf("the models have more than %d bytes together", maxBannerModels)

// Banner is a CBMD file: models packed with LZ11, the common one first, and a sound.
type Banner struct {
	Models   [bannerRegions]*Packed // nil where there is none; regions may share one
	Sound    []byte                 // BCWAV with all data after it
	SoundAt  int                    // where it was read from; 0 without a sound
	word     uint32                 // after the magic; 0 in all known files
	reserved [17]uint32             // before the sound's offset; 0 in all known files
	Findings tree.Findings
	// gaps are the bytes outside of the header, the models and the sound.
	gaps []gap

	size int                   // of the file that was read; 0 of a banner that was made
	read [bannerRegions]bool   // models that were read
	raw  [bannerRegions]uint32 // offsets that led to no model
	lost uint32                // an invalid offset of the sound
}

// Packed is a model of a banner.
type Packed struct {
	Offset, Size int    // in the banner that it was read from, packed
	Data         []byte // unpacked: a CGFX file
	// stream is the packed model as it was read. It is written again as long as it
	// unpacks to Data, because packing Data gives other bytes.
	stream []byte
}

// bannerHead is the header: the offsets of the models and the sound.
type bannerHead struct {
	word     uint32
	models   [bannerRegions]uint32
	reserved [17]uint32
	sound    uint32
}

var bannerHeader = tree.NewRecord("header", func(h *bannerHead, f *tree.Fields) {
	f.Magic(MagicCBMD)
	tree.Number(f, "zero", &h.word)
	for i, name := range Regions {
		tree.Number(f, name, &h.models[i])
	}
	f.Reserved("reserved", h.reserved[:])
	tree.Number(f, "sound", &h.sound)
})

// IsBanner reports whether data begins like a banner.
func IsBanner(data []byte) bool { return bytes.HasPrefix(data, []byte(MagicCBMD)) }

// ParseBanner reads a banner and unpacks its models. It fails if it cannot
// unpack the common one.
func ParseBanner(data []byte) (*Banner, error) {
	if len(data) < bannerHeader.Size || !IsBanner(data) {
		return nil, fmt.Errorf("cbmd: offset 0x0: %q and a header of 0x%x bytes expected, found %d bytes", MagicCBMD, bannerHeader.Size, len(data))
	}
	var h bannerHead
	bannerHeader.Read(data, &h)
	b := &Banner{size: len(data), word: h.word, reserved: h.reserved}
	total := 0
	known := map[int]*Packed{}
	for i := range b.Models {
		at := int(h.models[i])
		if at == 0 {
			continue
		}
		p, err := known[at], error(nil)
		if p == nil {
			p, err = unpack(data, at, &total)
		}
		if err != nil && i == 0 {
			return nil, fmt.Errorf("cbmd: the common model at 0x%x: %w", at, err)
		} else if err != nil {
			b.Findings.Problemf(bannerHeader.At(Regions[i]), "the model %s at 0x%x: %v", Regions[i], at, err)
			b.raw[i] = uint32(at)
			continue
		}
		known[at] = p
		b.Models[i], b.read[i] = p, true
	}
	if b.Models[0] == nil {
		return nil, fmt.Errorf("cbmd: offset 0x8: there is no common model")
	}
	if at := int(h.sound); at >= bannerHeader.Size && at < len(data) {
		b.SoundAt, b.Sound = at, data[at:]
		if !bytes.HasPrefix(b.Sound, []byte("CWAV")) {
			b.Findings.Problemf(int64(at), "the sound begins with %q, expected CWAV", b.Sound[:min(4, len(b.Sound))])
		}
	} else if at != 0 {
		b.lost = uint32(at)
		b.Findings.Problemf(bannerHeader.At("sound"), "the sound at 0x%x is not between the header and the end of the file at 0x%x", at, len(data))
	}
	parts := []item{{at: 0, size: bannerHeader.Size, name: "the header"}, {at: b.SoundAt, size: len(b.Sound), name: "the sound"}}
	for i, p := range b.Models {
		if p != nil {
			parts = append(parts, item{at: p.Offset, size: p.Size, name: "the model " + Regions[i]})
		}
	}
	b.gaps = newLayout().gaps(data, parts...)
	return b, nil
}

func unpack(data []byte, at int, total *int) (*Packed, error) {
	if at < bannerHeader.Size || at >= len(data) {
		return nil, fmt.Errorf("it is not in the file of 0x%x bytes", len(data))
	}
	if c, _, _, err := texture.PackedHeader(data[at:]); err != nil {
		return nil, err
	} else if c != texture.LZ11 {
		return nil, fmt.Errorf("it is packed with %v, expected LZ11", c)
	}
	out, used, err := texture.Unpack(data[at:], maxBannerModel)
	if err != nil {
		return nil, err
	}
	// Regions may share a model, but the total size is bounded.
	if *total += len(out); *total > maxBannerModels {
		return nil, errBannerModels
	}
	return &Packed{at, used, out, data[at : at+used : at+used]}, nil
}

// packed returns the model in packed form.
func (p *Packed) packed() ([]byte, error) {
	if p.stream != nil {
		if out, used, err := texture.Unpack(p.stream, len(p.Data)); err == nil && used == len(p.stream) && bytes.Equal(out, p.Data) {
			return p.stream, nil
		}
	}
	if len(p.Data) > maxBannerModel {
		return nil, fmt.Errorf("cbmd: a model of %d bytes; at most %d are read", len(p.Data), maxBannerModel)
	}
	return texture.Pack(p.Data, texture.LZ11)
}

// Encode returns the banner. If it was read and no model has changed,
// everything is written where it was, including bytes outside of all parts.
// Otherwise it gets a new layout.
func (b *Banner) Encode() ([]byte, error) {
	if b.size == 0 || len(b.Sound) > 0 && len(b.Sound) != b.size-b.SoundAt || len(b.Sound) == 0 && b.SoundAt != 0 {
		return b.relayout()
	}
	out := make([]byte, b.size)
	for _, g := range b.gaps {
		copy(out[g.offset:], g.data)
	}
	var at [bannerRegions]uint32
	for i, p := range b.Models {
		at[i] = b.raw[i]
		if p == nil != !b.read[i] {
			return b.relayout()
		}
		if p == nil {
			continue
		}
		s, err := p.packed()
		if err != nil {
			return nil, err
		}
		if len(s) != p.Size || p.Offset < bannerHeader.Size || p.Offset > len(out)-p.Size {
			return b.relayout()
		}
		copy(out[p.Offset:], s)
		at[i] = uint32(p.Offset)
	}
	copy(out[b.SoundAt:], b.Sound)
	b.writeHeader(out, at, uint32(b.SoundAt)|b.lost)
	// Parts of a malicious file may overlap; then changing one would change
	// another.
	for _, p := range Each(b.Models[:]) {
		if u, _, err := texture.Unpack(out[p.Offset:], len(p.Data)); err != nil || !bytes.Equal(u, p.Data) {
			return b.relayout()
		}
	}
	return out, nil
}

func (b *Banner) writeHeader(out []byte, at [bannerRegions]uint32, sound uint32) {
	copy(out, bannerHeader.Append(nil, &bannerHead{b.word, at, b.reserved, sound}))
}

// relayout writes the banner with a new layout: the header, the models in the
// order of their regions, each once, and the sound, at multiples of 16 bytes.
// Invalid offsets become 0.
func (b *Banner) relayout() ([]byte, error) {
	if b.Models[0] == nil {
		return nil, fmt.Errorf("cbmd: there is no common model")
	}
	out := make([]byte, bannerHeader.Size)
	pad := func() {
		for len(out)%16 != 0 {
			out = append(out, 0)
		}
	}
	var at [bannerRegions]uint32
	known := map[*Packed]uint32{}
	total := 0
	for i, p := range Each(b.Models[:]) {
		if v, ok := known[p]; ok {
			at[i] = v
			continue
		}
		s, err := p.packed()
		if err != nil {
			return nil, err
		}
		if total += len(p.Data); total > maxBannerModels {
			return nil, errBannerModels
		}
		if i > 0 {
			pad() // the common model follows the header
		}
		at[i] = uint32(len(out))
		known[p] = at[i]
		out = append(out, s...)
	}
	pad()
	sound := uint32(0)
	if len(b.Sound) > 0 {
		sound = uint32(len(out))
		out = append(out, b.Sound...)
	}
	b.writeHeader(out, at, sound)
	return out, nil
}

// BuildBanner packs a model, and a sound if not nil, as a banner.
func BuildBanner(model, sound []byte) ([]byte, error) {
	b := Banner{Sound: sound}
	b.Models[0] = &Packed{Data: model}
	return b.relayout()
}

// Tree shows the banner; model shows an unpacked model. Offsets in unpacked data
// do not exist in the file, so they are left out.
func (b *Banner) Tree(model func(data []byte) *tree.Node) []*tree.Node {
	h := bannerHead{word: b.word, models: b.raw, reserved: b.reserved, sound: uint32(b.SoundAt) | b.lost}
	var parts []*tree.Node
	for i, p := range Each(b.Models[:]) {
		h.models[i] = uint32(p.Offset)
		parts = append(parts, &tree.Node{Name: Regions[i], Offset: int64(p.Offset), Size: int64(p.Size), Text: fmt.Sprintf("LZ11, 0x%x bytes unpacked", len(p.Data)),
			Children: func(yield func(*tree.Node) bool) {
				for c := range model(p.Data).Children {
					if !yield(c.Moved(-1)) {
						return
					}
				}
			}})
	}
	if b.Sound != nil {
		parts = append(parts, tree.Fieldf("sound", int64(b.SoundAt), int64(len(b.Sound)), nil, "%d bytes", len(b.Sound)))
	}
	return append([]*tree.Node{bannerHeader.Node("header", 0, "", &h)}, parts...)
}
