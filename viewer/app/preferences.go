package app

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"pica200/internal/files"
)

// preferences are what the window keeps from one start to the next, beside the list of recent files.
type preferences struct {
	Scale      float64 // of text and controls, relative to the display's; 0 if the user chose none
	Light      bool    // dark text on light panels
	Docks      []dock  // the open panels, and the one in front; that of uniforms stands for a draw's state too
	Draws      bool    // the list of draws is open
	Table      bool    // it is a table
	Columns    []int   // widths of its columns in units
	Beside     bool    // open panels are side by side, not tabs
	Dock, List int     // widths of the panels at the right and of the list of draws in units
	Panels     []int   // widths of panels side by side in units, by dock; 0 shares what is left
}

// scales are the sizes of text and controls to choose from.
var scales = []float64{0.75, 1, 1.25, 1.5, 2, 2.5, 3}

// file returns the file of the preferences, "" for none.
func (o *Options) preferences() string {
	if o.Recent == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(o.Recent), "window.json")
}

// read reads the preferences; those of a first start if there are none.
func (p *preferences) read(o *Options) {
	if path := o.preferences(); path != "" {
		if data, err := files.ReadToReplace(path, 1<<16); err == nil && json.Unmarshal(data, p) != nil {
			*p = preferences{} // damaged
		}
	}
	if !slices.Contains(scales, p.Scale) {
		p.Scale = 0
	}
	p.Dock, p.List = min(max(p.Dock, 0), 4000), min(max(p.List, 0), 4000)
}

// take takes over what the window shows.
func (p *preferences) take(a *App) {
	p.Dock, p.List, p.Draws = a.split.Size, a.drawList.split.Size, a.drawList.open
	p.Panels = nil
	for _, part := range a.beside {
		p.Panels = append(p.Panels, part.Size)
	}
	if !a.none {
		p.Docks = nil
		for _, d := range slices.DeleteFunc(append(slices.Clone(a.docks), a.dock), func(d dock) bool { return d != dockPanel && d != dockState && d != dockParts }) {
			if d == dockState {
				d = dockPanel
			}
			p.Docks = append(p.Docks, d)
		}
	}
	if a.drawList.table.Columns != nil {
		p.Columns = nil
		for _, c := range a.drawList.table.Columns {
			p.Columns = append(p.Columns, c.Width)
		}
	}
}

func (p *preferences) write(o *Options) error {
	path := o.preferences()
	if path == "" {
		return nil
	}
	data, err := json.MarshalIndent(p, "", "\t")
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	if err != nil {
		return err
	}
	return files.Write(path, func(w io.Writer) error { _, err := w.Write(append(data, '\n')); return err })
}

// keep writes the preferences; what says what changed.
func (a *App) keep(what string) {
	if err := a.prefer.write(&a.o); err != nil {
		a.say("%s; that cannot be saved: %v", what, err)
		return
	}
	a.say("%s", what)
}

// textScale is the size of text relative to the display's: chosen, or legible on a large display that does not tell its density.
func (a *App) textScale() float64 {
	switch {
	case a.prefer.Scale != 0:
		return a.prefer.Scale
	case a.win.dense > 1 || a.o.DisplayHeight < 1400:
		return 1
	case a.o.DisplayHeight < 2000:
		return 1.25
	}
	return 2
}

// setScale changes the size of text by steps.
func (a *App) setScale(by int) {
	at := slices.Index(scales, a.textScale()) + by
	a.prefer.Scale = scales[min(max(at, 0), len(scales)-1)]
	a.Resize(a.win.w, a.win.h, a.win.dense)
	a.keep("letters of " + strconv.FormatFloat(a.prefer.Scale*100, 'g', -1, 64) + "%")
}

// toggleLight changes between a light and a dark window.
func (a *App) toggleLight() {
	a.prefer.Light = !a.prefer.Light
	a.screen.Light = a.prefer.Light
	a.keep(map[bool]string{false: "dark window", true: "light window"}[a.prefer.Light])
}
