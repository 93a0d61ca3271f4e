package golden

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"io"
	"path/filepath"

	"pica200/assets/imagefile"
	"pica200/internal/files"
)

// maxPixels bounds the images that are read: much more than the largest render
// target (1024x1024).
const maxPixels = 64 << 20

// ReadPNG reads an image file. Its size is checked before memory is taken.
func ReadPNG(path string) (image.Image, error) {
	data, err := files.Read(path, files.MaxStream)
	return decodeFile(path, data, err)
}

// Picture reads an approved image of the case. An approval may replace one from self.
func (c *Case) Picture(a Approved) (image.Image, error) {
	root, err := c.root()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	read := root.ReadRegular
	if a.From == Self {
		read = root.ReadToReplace
	}
	data, err := read(a.File, files.MaxStream)
	return decodeFile(c.path(a), data, err)
}

// root opens the folder of the case, which its files are in.
func (c *Case) root() (*files.Root, error) { return files.OpenRoot(filepath.Dir(c.File)) }

func decodeFile(path string, data []byte, err error) (image.Image, error) {
	if err != nil {
		return nil, err
	}
	m, err := imagefile.DecodePNG(data, maxPixels)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// EncodePNG encodes an image. source and by, if not empty, are written as text
// chunks that say what the picture shows and what made it.
func EncodePNG(m image.Image, source, by string) ([]byte, error) {
	var b bytes.Buffer
	enc := png.Encoder{CompressionLevel: png.BestCompression}
	if err := enc.Encode(&b, m); err != nil {
		return nil, err
	}
	const afterHeader = 8 + 25 // signature and IHDR chunk
	out := append([]byte(nil), b.Bytes()[:afterHeader]...)
	out = appendText(out, "Source", source)
	out = appendText(out, "Software", by)
	return append(out, b.Bytes()[afterHeader:]...), nil
}

// appendText appends a PNG tEXt chunk (PNG specification, 11.3.4.3).
func appendText(out []byte, key, text string) []byte {
	if text == "" {
		return out
	}
	body := append([]byte("tEXt"+key+"\x00"), text...)
	out = binary.BigEndian.AppendUint32(out, uint32(len(body)-4))
	out = append(out, body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(body))
}

// write writes a file of a folder whole or not at all.
func write(root *files.Root, name string, data []byte) error {
	return root.Write(name, func(w io.Writer) error { _, err := w.Write(data); return err })
}
