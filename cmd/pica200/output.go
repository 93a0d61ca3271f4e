package main

import (
	"bufio"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io/fs"
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
// is written, and left alone if anything fails. A link is followed; a device or
// a pipe is written to, as nothing can take its place.
func writeFile(path string, write func(*bufio.Writer) error) (err error) {
	path, special, err := outputPath(path)
	if err != nil {
		return err
	}
	var f *os.File
	if special {
		f, err = os.OpenFile(path, os.O_WRONLY, 0)
	} else {
		f, err = os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	}
	if err != nil {
		return cannotWrite(path, err)
	}
	if !special {
		unfinished.Store(f.Name(), nil)
		defer func() {
			if err != nil {
				os.Remove(f.Name())
			}
			unfinished.Delete(f.Name())
		}()
	}
	defer f.Close() // again after success, which does nothing
	w := bufio.NewWriter(f)
	if err := write(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return cannotWrite(path, err)
	}
	if special {
		return f.Close()
	}
	if err := f.Chmod(0o644); err != nil {
		return cannotWrite(path, err)
	}
	if err := f.Close(); err != nil {
		return cannotWrite(path, err)
	}
	return os.Rename(f.Name(), path)
}

// outputPath says where the data for path goes: behind links, and whether that
// is something other than a file.
func outputPath(path string) (target string, special bool, err error) {
	if path == "" {
		return "", false, errors.New("the name of the file to write is empty")
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		// A link that leads nowhere is replaced.
		return path, false, nil
	case err != nil:
		return "", false, err
	case info.IsDir():
		return "", false, fmt.Errorf("%s is a folder, and a file is to be written; name one in it, such as %s",
			path, filepath.Join(path, "NAME"))
	case !info.Mode().IsRegular():
		return path, true, nil
	}
	if target, err = filepath.EvalSymlinks(path); err != nil {
		return "", false, err
	}
	return target, false, nil
}

// cannotWrite names the file that was asked for instead of the temporary one.
func cannotWrite(path string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	if dir := filepath.Dir(path); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s cannot be written: there is no folder %s", path, dir)
	}
	return fmt.Errorf("%s cannot be written: %w", path, err)
}

// unfinished holds the names of temporary files.
var unfinished sync.Map

// removeUnfinished removes the temporary files of a program that is about to
// be ended.
func removeUnfinished() {
	unfinished.Range(func(name, _ any) bool {
		os.Remove(name.(string))
		return true
	})
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
