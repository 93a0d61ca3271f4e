// Package explainpage writes the record of a pixel as a page that needs no other
// file.
//
// The package is our own and may change at any time.
package explainpage

import (
	"fmt"
	"html/template"
	"io"
	"strings"

	"pica200/fragment"
	"pica200/pipeline"
)

// page shows the lines of Event.Text, with the colours beside them.
var page = template.Must(template.New("explain").Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><title>{{.Title}}</title>
<style>
:root { color-scheme: light dark; --soft: #5b5f68 }
@media (prefers-color-scheme: dark) { :root { --soft: #a2a6b0 } }
body { font: 14px/1.5 system-ui, sans-serif; margin: 2em; max-width: 90em; overflow-wrap: anywhere }
h2 { font-size: 1.1em; margin: 1.5em 0 .5em } details { margin: .3em 0 1em } summary { cursor: pointer }
table { border-collapse: collapse; font: 13px/1.5 ui-monospace, monospace }
td { padding: 0 1em 0 0; vertical-align: top } td.n { white-space: pre; color: var(--soft) } td.v { white-space: pre-wrap }
i { display: inline-block; width: .9em; height: .9em; border: 1px solid #888; margin-right: .4em; vertical-align: -.1em }
.failed summary { color: var(--soft) }
</style>
<h1>{{.Title}}</h1>
{{range .Pixels}}<h2>{{.Head}}</h2>
{{range .Events}}<details{{if .Open}} open{{end}} class="{{.Class}}"><summary>{{range .Swatches}}<i style="background:{{.}}"></i>{{end}}{{.Head}}</summary>
<table>{{range .Lines}}<tr><td class="n">{{.Name}}<td class="v">{{if .Swatch}}<i style="background:{{.Swatch}}"></i>{{end}}{{.Value}}</tr>
{{end}}</table></details>
{{end}}{{end}}</html>
`))

type pixel struct {
	Head   string
	Events []event
}

type event struct {
	Head, Class string
	Open        bool
	Swatches    []template.CSS // the pixel before and after
	Lines       []line
}

type line struct {
	Name, Value string
	Swatch      template.CSS
}

// Write writes the page.
func Write(w io.Writer, title string, e *pipeline.Explained) error {
	pixels := []pixel{pixelOf(e)}
	for _, p := range e.Passes {
		pixels = append(pixels, pixelOf(p))
	}
	return page.Execute(w, map[string]any{"Title": title, "Pixels": pixels})
}

func pixelOf(e *pipeline.Explained) pixel {
	p := pixel{Head: fmt.Sprintf("Pixel %d,%d of frame %d, touched %d times", e.X, e.Y, e.Frame, len(e.Events))}
	if e.Target != (pipeline.DrawTarget{}) {
		p.Head += fmt.Sprintf(", of the target %v", e.Target)
	}
	if e.Via != "" {
		p.Head += ", through a " + e.Via
	}
	if e.Read != "" {
		p.Head = e.Read + ": " + p.Head
	}
	for i := range e.Events {
		p.Events = append(p.Events, eventOf(&e.Events[i], i == len(e.Events)-1))
	}
	return p
}

func eventOf(e *pipeline.Event, open bool) event {
	lines := strings.Split(strings.TrimRight(e.Text(), "\n"), "\n")
	out := event{Head: lines[0], Open: open, Class: "written"}
	before, after := e.Before, e.After
	if f := e.Fragment; f != nil {
		before, after = &f.Before, &f.After
		if f.Outcome != fragment.Written {
			out.Class = "failed"
		}
	}
	out.Swatches = []template.CSS{css(before.Color), css(after.Color)}
	for _, l := range lines[1:] {
		const value = 17 // column in Event.Text
		at := min(value, len(l))
		one := line{Name: strings.TrimRight(l[:at], " "), Value: l[at:]}
		var c [4]uint8
		if n, _ := fmt.Sscanf(one.Value, "%d %d %d %d", &c[0], &c[1], &c[2], &c[3]); n == 4 {
			one.Swatch = css(c)
		}
		out.Lines = append(out.Lines, one)
	}
	return out
}

// css is a colour without its alpha, which says little by itself.
func css(c [4]uint8) template.CSS {
	return template.CSS(fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2]))
}
