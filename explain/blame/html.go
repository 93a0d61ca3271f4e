package blame

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html/template"
	"image"
	"image/png"
	"io"
)

// page needs no other files: it contains its pictures.
const page = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"><title>{{.Title}}</title>
<style>
:root { color-scheme: light dark }
body { font: 14px/1.5 system-ui, sans-serif; margin: 2em; max-width: 80em }
figure { display: inline-block; margin: 0 1em 1em 0 } img { image-rendering: pixelated; max-width: 100%; border: 1px solid #999 }
table { border-collapse: collapse } td, th { padding: .2em .8em; text-align: left; border-bottom: 1px solid #8888; vertical-align: top }
</style>
<h1>{{.Title}}</h1>
<p>The screenshot shows the {{.R.Screen}} of frame {{.R.Frame}}, {{.R.Orientation}}, scale {{.R.Scale}}, its corner at {{.R.X}},{{.R.Y}}.
{{.R.Differing}} of {{.R.Compared}} pixels differ.</p>
{{range .R.Notes}}<p>{{.}}</p>{{end}}
{{range .Pictures}}<figure><img alt="{{.Name}}" src="{{.URL}}"><figcaption>{{.Name}}</figcaption></figure>{{end}}
<table><tr><th>draw<th>score<th>differing<th>can have changed<th>last writer of<th>what it is<th>what few others have</tr>
{{range .R.Suspects}}<tr><td>frame {{.Frame}}, draw {{.Draw}}{{if .First}} (the first){{end}}<td>{{printf "%.3f" .Score}}<td>{{.Differing}}<td>{{.Reach}}<td>{{.LastOf}}
<td>{{with .Record}}{{.Kind}}, {{.Primitive}}, {{.Vertices}} vertices, target {{.Target}}{{end}}
<td>{{range .Special}}{{.Register}} {{.Field}} = {{.Value}} (most: {{.Others}})<br>{{end}}</tr>
{{end}}</table></html>
`

// WriteHTML writes the report as a page that needs no other file.
func (rep *Report) WriteHTML(w io.Writer, title string) error {
	type shown struct {
		Name string
		URL  template.URL
	}
	var pictures []shown
	for _, p := range []struct {
		name string
		img  *image.NRGBA
	}{{"ours", rep.Ours}, {"the screenshot", rep.Theirs}, {"what differs", rep.Difference}} {
		var b bytes.Buffer
		if err := png.Encode(&b, p.img); err != nil {
			return err
		}
		pictures = append(pictures, shown{p.name, template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes()))})
	}
	return template.Must(template.New("blame").Parse(page)).Execute(w, map[string]any{"Title": title, "R": rep, "Pictures": pictures})
}

// WriteText prints the report.
func (rep *Report) WriteText(w io.Writer) {
	fmt.Fprintf(w, "the screenshot shows the %s of frame %d, %s, scale %d, its corner at %d,%d\n", rep.Screen, rep.Frame, rep.Orientation, rep.Scale, rep.X, rep.Y)
	fmt.Fprintf(w, "%d of %d pixels differ\n", rep.Differing, rep.Compared)
	for _, n := range rep.Notes {
		fmt.Fprintf(w, "note: %s\n", n)
	}
	if rep.Unknown > 0 {
		fmt.Fprintf(w, "%d of them no draw of this frame and the %d before wrote last\n", rep.Unknown, framesBack)
	}
	for _, s := range rep.Suspects {
		first := ""
		if s.First {
			first = "; the first draw that touches any"
		}
		fmt.Fprintf(w, "\nframe %d, draw %d: score %.3f; lies on %d of them and wrote %d last; can have changed %d pixels%s\n",
			s.Frame, s.Draw, s.Score, s.Differing, s.LastOf, s.Reach, first)
		if r := s.Record; r != nil {
			fmt.Fprintf(w, "  %s, %s, %d vertices, target %v\n", r.Kind, r.Primitive, r.Vertices, r.Target)
		}
		for _, x := range s.Special {
			fmt.Fprintf(w, "  %s %s = %s; most draws: %s\n", x.Register, x.Field, x.Value, x.Others)
		}
	}
}
