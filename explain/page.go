// Package explain describes recorded pixels, draws, fills and transfers: Pixel and
// Screen return the History of a pixel, as rows, text, JSON or an HTML page, and
// DrawRow, MoveRow and CombinerRows one row or list each.
//
// The package is internal to pica200 and may change at any time.
package explain

import (
	"fmt"
	"html/template"
	"io"
	"strings"

	"pica200/explain/rows"
)

// page shows the lines of Event.Text, with the colours beside them.
const page = `<!doctype html>
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
{{range .Events}}<details{{if .Open}} open{{end}} class="{{.Row.Mark}}"><summary>{{range .Swatches}}<i style="background:{{.}}"></i>{{end}}{{.Row.Line}}</summary>
<table>{{range .Lines}}<tr><td class="n">{{.Name}}<td class="v">{{range .Swatches}}<i style="background:{{.}}"></i>{{end}}{{.Row.Text}}</tr>
{{end}}</table></details>
{{end}}{{end}}</html>
`

type pixel struct {
	Head   string
	Events []event
}

// line is a row with its colour samples, before and after.
type line struct {
	Row      rows.Row
	Name     string
	Swatches []template.CSS
}

type event struct {
	line
	Open  bool
	Lines []line
}

// WritePage writes the page.
func WritePage(w io.Writer, title string, e *History) error {
	pixels := []pixel{pixelOf(e)}
	for _, p := range e.Passes {
		pixels = append(pixels, pixelOf(p))
	}
	return template.Must(template.New("explain").Parse(page)).Execute(w, map[string]any{"Title": title, "Pixels": pixels})
}

func pixelOf(e *History) pixel {
	p := pixel{Head: strings.Join(e.About(), ", ")}
	if e.Read != "" {
		p.Head = e.Read + ": " + p.Head
	}
	for i := range e.Events {
		ev := event{line: lineOf(e.Events[i].Row(), 0), Open: i == len(e.Events)-1}
		rows.Walk(ev.Row.Rows, func(r *rows.Row, depth int) bool {
			ev.Lines = append(ev.Lines, lineOf(*r, depth+1))
			return true
		})
		p.Events = append(p.Events, ev)
	}
	return p
}

func lineOf(r rows.Row, depth int) line {
	l := line{Row: r, Name: strings.Repeat("  ", depth) + r.Name()}
	for _, c := range []*[4]uint8{r.From, r.Color} {
		if c != nil {
			l.Swatches = append(l.Swatches, css(*c))
		}
	}
	return l
}

// css is a colour without its alpha, which says little by itself.
func css(c [4]uint8) template.CSS {
	return template.CSS(fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2]))
}
