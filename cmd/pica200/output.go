package main

import (
	"image/png"
	"sync"

	"github.com/schollz/progressbar/v3"
)

// pngPool reuses the encoder's buffers.
type pngPool struct{ sync.Pool }

func (p *pngPool) Get() *png.EncoderBuffer {
	b, _ := p.Pool.Get().(*png.EncoderBuffer)
	return b
}

func (p *pngPool) Put(b *png.EncoderBuffer) { p.Pool.Put(b) }

var pngEncoder = png.Encoder{CompressionLevel: png.BestSpeed, BufferPool: new(pngPool)}

// bar is a progress bar on a terminal, and nothing elsewhere.
type bar struct{ bar *progressbar.ProgressBar }

func newBar(con *console, quiet bool, n int, what string) bar {
	if quiet || !con.errTTY {
		return bar{}
	}
	return bar{progressbar.NewOptions(n,
		progressbar.OptionSetWriter(con.rawErr), progressbar.OptionSetDescription(what),
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
