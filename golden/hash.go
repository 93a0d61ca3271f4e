package golden

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"pica200/internal/yamldoc"
)

// pictureHash identifies a picture by its pixels, so that all PNG files of a
// picture have the same hash: the SHA-256, in lower-case hexadecimal, of the
// text "picture WIDTHxHEIGHTxBITS\n" and then of each pixel from the upper
// left, row by row, red, green, blue and alpha, not multiplied by alpha. BITS
// is 8 or 16; samples have that many bits, most significant first.
func pictureHash(m image.Image) string {
	return newPlanes(m).hash()
}

func (p *planes) hash() string {
	h := sha256.New()
	fmt.Fprintf(h, "picture %dx%dx%d\n", p.w, p.h, p.bits)
	var samples []byte
	for _, v := range p.pix {
		if p.bits == 16 {
			samples = append(samples, byte(v>>8))
		}
		samples = append(samples, byte(v))
	}
	h.Write(samples)
	return hex.EncodeToString(h.Sum(nil))
}

// changeOf identifies the difference of two pictures: their sizes, and which
// channels differ where by how many steps. Different scenes in which the same
// object moved the same way have the same difference.
func changeOf(want, got image.Image) string {
	a, b := newPlanes(want), newPlanes(got)
	if a.bits != b.bits {
		a.widen()
		b.widen()
	}
	h := sha256.New()
	fmt.Fprintf(h, "%dx%d %dx%d %d\n", a.w, a.h, b.w, b.h, a.bits)
	if a.w != b.w || a.h != b.h {
		fmt.Fprintf(h, "%s %s\n", a.hash(), b.hash())
	} else {
		var steps []byte
		for i, v := range b.pix {
			steps = binary.BigEndian.AppendUint32(steps, uint32(int32(v)-int32(a.pix[i])))
		}
		h.Write(steps)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// writeHash replaces an approved hash in the case file and changes nothing
// else.
func (c *Case) writeHash(a Approved, to string) error {
	root, err := c.root()
	if err != nil {
		return err
	}
	defer root.Close()
	return root.Change(filepath.Base(c.File), yamldoc.MaxBytes, func(src []byte) ([]byte, error) {
		changed, why := c.withHash(src, a, to)
		if why != "" {
			return nil, fmt.Errorf("%s:%d: the hash cannot be written here: %s; write sha256: %s there", c.File, a.line, why, to)
		}
		return changed, nil
	})
}

// withHash returns the text of the case file with a replaced hash, or why it
// cannot be replaced.
func (c *Case) withHash(src []byte, a Approved, to string) (changed []byte, why string) {
	lines := bytes.SplitAfter(src, []byte("\n"))
	if a.line > len(lines) {
		return nil, "the file was changed meanwhile"
	}
	line := string(lines[a.line-1])
	at := min(a.column-1, len(line))
	before, behind, ok := strings.Cut(line[at:], a.SHA256)
	if !ok {
		return nil, "it is not in one piece"
	}
	lines[a.line-1] = []byte(line[:at] + before + to + behind)
	changed = bytes.Join(lines, nil)
	// Parsing the result must give the same case, except for the hash.
	was, err := parseCase(c.Name, c.File, src)
	is, other := parseCase(c.Name, c.File, changed)
	if err = cmp.Or(err, other); err != nil {
		return nil, firstLine(err.Error())
	}
	for i := range was.Images {
		for k := range was.Images[i].Approved {
			if p := &was.Images[i].Approved[k]; p.line == a.line && p.column == a.column {
				p.SHA256 = to
			}
		}
	}
	for _, one := range []*Case{is, was} { // in a line, what follows it has moved
		for i := range one.Images {
			for k := range one.Images[i].Approved {
				one.Images[i].Approved[k].column = 0
			}
		}
	}
	if !reflect.DeepEqual(is, was) {
		return nil, "something else would change"
	}
	return changed, ""
}

// expects returns the hash of an approved picture, "" if there is none yet.
func (c *Case) expects(a Approved) (string, error) {
	if a.SHA256 != "" {
		return strings.TrimPrefix(a.SHA256, newHash), nil
	}
	m, err := c.Picture(a)
	if os.IsNotExist(err) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return pictureHash(m), nil
}
