package main

import (
	"bufio"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"sync"

	"github.com/schollz/progressbar/v3"
)

// pngPool lets pictures share the encoder's buffers.
type pngPool struct{ sync.Pool }

func (p *pngPool) Get() *png.EncoderBuffer {
	b, _ := p.Pool.Get().(*png.EncoderBuffer)
	return b
}

func (p *pngPool) Put(b *png.EncoderBuffer) { p.Pool.Put(b) }

var pngEncoder = png.Encoder{CompressionLevel: png.BestSpeed, BufferPool: new(pngPool)}

// writePNG writes an image to a temporary file beside path and renames it, so
// that path never holds half a picture.
func writePNG(path string, img image.Image) error {
	return writeFile(path, func(w *bufio.Writer) error { return pngEncoder.Encode(w, img) })
}

// writeFile writes a file in one piece: what is at path is replaced when all
// is written, and left alone if anything fails.
func writeFile(path string, write func(*bufio.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	w := bufio.NewWriter(f)
	if err := write(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// bar is a progress bar on a terminal, and nothing elsewhere.
type bar struct{ bar *progressbar.ProgressBar }

func newBar(con *console, quiet bool, n int, what string) bar {
	if quiet || !con.errTTY {
		return bar{}
	}
	return bar{progressbar.NewOptions(n,
		progressbar.OptionSetWriter(con.err), progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetElapsedTime(false))}
}

func (b *bar) step(n int) {
	if b.bar != nil {
		b.bar.Set(n)
	}
}

// done removes the bar; it may be called more than once.
func (b *bar) done() {
	if b.bar != nil {
		b.bar.Finish()
		b.bar = nil
	}
}
