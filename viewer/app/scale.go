package app

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pica200/internal/files"
)

// scales are the sizes of text and controls relative to the display's scale. windowLayout.user is an index; 0 is the default.
var scales = []float64{1, 1.25, 1.5, 2, 2.5, 3, 0.75}

// byScale are the indices of scales in ascending order.
var byScale = []int{6, 0, 1, 2, 3, 4, 5}

// setScale changes the size of text by steps and saves it.
func (a *App) setScale(by int) {
	at := slices.Index(byScale, a.win.user) + by
	a.win.user = byScale[min(max(at, 0), len(byScale)-1)]
	a.Resize(a.win.w, a.win.h, a.win.dense)
	text := strconv.FormatFloat(scales[a.win.user]*100, 'g', -1, 64) + "%"
	if err := a.o.writeScale(scales[a.win.user]); err != nil {
		a.say("letters of %s; that cannot be saved: %v", text, err)
		return
	}
	a.say("letters of %s", text)
}

// scaleFile returns the file with the size of text, "" for none.
func (o *Options) scaleFile() string {
	if o.Recent == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(o.Recent), "scale")
}

// readScale reads the saved index of scales; 0 if none was saved.
func (o *Options) readScale() int {
	path := o.scaleFile()
	if path == "" {
		return 0
	}
	data, err := files.ReadToReplace(path, 64)
	if err != nil {
		return 0 // not saved yet
	}
	v, _ := strconv.ParseFloat(strings.TrimSpace(string(data)), 64)
	return max(slices.Index(scales, v), 0)
}

func (o *Options) writeScale(v float64) error {
	path := o.scaleFile()
	if path == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return files.Write(path, func(w io.Writer) error { _, err := fmt.Fprintln(w, v); return err })
}
