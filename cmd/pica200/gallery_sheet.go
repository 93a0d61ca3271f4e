package main

import (
	"image"
	"image/color"
	"image/draw"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"

	"pica200/assets/model"
	"pica200/internal/quote"
	"pica200/scene/source"
)

// The cells of a contact sheet: a picture with its name below.
const (
	sheetWidth  = 200 // of a picture, at most
	sheetHeight = 120
	sheetText   = 18
	sheetGap    = 8
	maxColumns  = 8
)

// sheetPicture scales a picture down to the size of a cell; small ones are
// unchanged.
func sheetPicture(pic image.Image) *image.NRGBA {
	img, ok := pic.(*image.NRGBA)
	if !ok { // opaque, so alpha is multiplied or not
		eyes := source.Opaque(pic)
		img = &image.NRGBA{Pix: eyes.Pix, Stride: eyes.Stride, Rect: eyes.Rect}
	}
	w, h := img.Rect.Dx(), img.Rect.Dy()
	if w <= sheetWidth && h <= sheetHeight {
		return img
	}
	if w*sheetHeight > h*sheetWidth {
		w, h = sheetWidth, max(h*sheetWidth/w, 1)
	} else {
		w, h = max(w*sheetHeight/h, 1), sheetHeight
	}
	return model.Resample(img, w, h)
}

// contactSheet is all pictures with their names, in rows, on a dark ground.
func contactSheet(items []galleryItem) *image.NRGBA {
	columns := 1
	for columns < maxColumns && columns*columns < len(items) {
		columns++
	}
	rows := (len(items) + columns - 1) / columns
	const cellWidth, cellHeight = sheetWidth + sheetGap, sheetHeight + sheetText + sheetGap
	out := image.NewNRGBA(image.Rect(0, 0, columns*cellWidth+sheetGap, rows*cellHeight+sheetGap))
	draw.Draw(out, out.Rect, image.NewUniform(color.NRGBA{0x14, 0x16, 0x1A, 0xFF}), image.Point{}, draw.Src)
	for i := range items {
		x, y := sheetGap+i%columns*cellWidth, sheetGap+i/columns*cellHeight
		pix := items[i].pix
		at := image.Pt(x+(sheetWidth-pix.Rect.Dx())/2, y+(sheetHeight-pix.Rect.Dy())/2)
		draw.Draw(out, pix.Rect.Add(at), pix, image.Point{}, draw.Over)
		d := font.Drawer{Dst: out, Src: image.NewUniform(color.NRGBA{0xD8, 0xDA, 0xDF, 0xFF}), Face: basicfont.Face7x13,
			Dot: fixed.P(x, y+sheetHeight+sheetText-5)}
		d.DrawString(quote.Short(items[i].Name, sheetWidth/7))
	}
	return out
}
