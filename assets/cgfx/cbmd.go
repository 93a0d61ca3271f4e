package cgfx

import (
	"bytes"
	"fmt"

	"pica200/assets/texture"
	"pica200/assets/tree"
)

// MagicCBMD is what a banner begins with.
const MagicCBMD = "CBMD"

const (
	bannerHeader   = 0x88
	bannerSound    = 0x84 // where the sound's offset stands
	bannerRegions  = 14   // the common model and 13 of regions and languages
	maxBannerModel = 8 << 20
	// BannerLimit is the most bytes that the model of a banner may have unpacked, for the
	// HOME Menu. Source: 3dbrew, "CBMD".
	BannerLimit = 0x80000
)

// Regions names the models of a banner, in order. Source: 3dbrew, "CBMD".
var Regions = [bannerRegions]string{"common", "EUR English", "EUR French", "EUR German", "EUR Italian", "EUR Spanish", "EUR Dutch",
	"EUR Portuguese", "EUR Russian", "JPN Japanese", "USA English", "USA French", "USA Spanish", "USA Portuguese"}

// Banner is a CBMD file: models packed with LZ11, the common one first, and a sound.
type Banner struct {
	Models   [bannerRegions]*Packed // nil where there is none
	Sound    []byte                 // BCWAV with all that is behind it
	SoundAt  int                    // 0 without a sound
	Findings tree.Findings

	data []byte
}

// Packed is a model of a banner.
type Packed struct {
	Offset, Size int    // in the banner, packed
	Data         []byte // unpacked: a CGFX file
}

// IsBanner tells a banner by its first bytes.
func IsBanner(data []byte) bool { return bytes.HasPrefix(data, []byte(MagicCBMD)) }

// ParseBanner reads a banner and unpacks its models. It fails if the common one cannot be
// unpacked.
func ParseBanner(data []byte) (*Banner, error) {
	if len(data) < bannerHeader || !IsBanner(data) {
		return nil, fmt.Errorf("cbmd: %q and a header of 0x%x bytes expected, found %d bytes", MagicCBMD, bannerHeader, len(data))
	}
	b := &Banner{data: data}
	total := 0
	for i := range b.Models {
		at := int(le.Uint32(data[8+4*i:]))
		if at == 0 {
			continue
		}
		p, err := unpack(data, at, &total)
		if err != nil && i == 0 {
			return nil, fmt.Errorf("cbmd: the common model at 0x%x: %w", at, err)
		} else if err != nil {
			b.Findings.Problemf(int64(8+4*i), "the model %s at 0x%x: %v", Regions[i], at, err)
			continue
		}
		b.Models[i] = p
	}
	if b.Models[0] == nil {
		return nil, fmt.Errorf("cbmd: there is no common model")
	}
	if at := int(le.Uint32(data[bannerSound:])); at > 0 && at < len(data) {
		b.SoundAt, b.Sound = at, data[at:]
		if !bytes.HasPrefix(b.Sound, []byte("CWAV")) {
			b.Findings.Problemf(int64(at), "the sound begins with %q, expected CWAV", b.Sound[:min(4, len(b.Sound))])
		}
	} else if at != 0 {
		b.Findings.Problemf(bannerSound, "the sound at 0x%x is not in the file of 0x%x bytes", at, len(data))
	}
	return b, nil
}

func unpack(data []byte, at int, total *int) (*Packed, error) {
	if at < bannerHeader || at >= len(data) {
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
	// Regions may share a model, but not so that they take out of proportion.
	if *total += len(out); *total > 4*maxBannerModel {
		return nil, fmt.Errorf("the models have more than %d bytes together", 4*maxBannerModel)
	}
	return &Packed{at, used, out}, nil
}

// Encode gives the bytes that the banner was read from: changes of its parts do not show
// in it. BuildBanner makes a new one.
func (b *Banner) Encode() []byte { return bytes.Clone(b.data) }

// BuildBanner packs a model, and a sound if not nil, as a banner.
func BuildBanner(model, sound []byte) ([]byte, error) {
	packed, err := texture.Pack(model, texture.LZ11)
	if err != nil {
		return nil, err
	}
	out := make([]byte, bannerHeader, bannerHeader+len(packed)+len(sound)+16)
	copy(out, MagicCBMD)
	le.PutUint32(out[8:], bannerHeader)
	out = append(out, packed...)
	for len(out)%16 != 0 {
		out = append(out, 0)
	}
	if len(sound) > 0 {
		le.PutUint32(out[bannerSound:], uint32(len(out)))
		out = append(out, sound...)
	}
	return out, nil
}
