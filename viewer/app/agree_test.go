package app

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"image"
	"image/color"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/explain"
	"pica200/explain/drawstate"
	"pica200/explain/rows"
	"pica200/serve/engine"
	"pica200/tests/testkit"
)

// browser opens a recording in the browser's engine, and returns a function that decodes its answer to a request.
func browser(t *testing.T, path string) func(r *engine.Request, into any) {
	t.Helper()
	trace := testkit.Must(picatrace.Parse(testkit.Read(t, path)))(t)
	e := engine.New(engine.Options{}, engine.Source{Open: func(context.Context) (*picatrace.Trace, [][]string, error) { return trace, nil, nil }})
	t.Cleanup(e.Close)
	return func(r *engine.Request, into any) {
		t.Helper()
		a := testkit.Must(e.Do(t.Context(), r))(t)
		text := testkit.Must(json.Marshal(a.Value))(t)
		require.NoError(t, json.Unmarshal(text, into))
	}
}

// Text, page, window and browser describe a pixel by the same rows in the same order, with the same numbers and colours.
func TestExplanationsAgreeInAllFrontends(t *testing.T) {
	for _, name := range []string{"lights", "shadow", "gas", "arcs"} {
		t.Run(name, func(t *testing.T) {
			path := "../../testdata/traces/" + name + ".ctf"
			d := drive(t, open(t, path), Options{})
			d.showDraw(d.picture.Frame - 1)
			d.settle()
			d.inspect(image.Pt(100, 60))
			e := d.inspector.history
			require.NotNil(t, e)
			require.NotEmpty(t, e.Events)

			// The browser's answer is the reference.
			var history struct {
				About  []string
				Events []struct{ Row rows.View }
			}
			browser(t, path)(&engine.Request{Op: "history", Frame: e.Frame, Draw: e.Draw, X: e.X, Y: e.Y, Count: 1000}, &history)
			require.Equal(t, e.About(), history.About)
			require.Len(t, history.Events, len(e.Events))

			var page bytes.Buffer
			require.NoError(t, explain.WritePage(&page, name, e))
			cells := regexp.MustCompile(`(?s)<td class="n">(.*?)<td class="v">(?:<i style="background:([^"]*)"></i>)*(.*?)</tr>`).FindAllStringSubmatch(page.String(), -1)
			window := d.inspector.view.Lines
			for len(e.Events) > 1 && !strings.HasSuffix(window[0].Text, "in this order") {
				window = window[1:] // the event that won, repeated at the top
			}
			for i, ev := range history.Events {
				terminal := strings.Split(e.Events[i].Text(), "\n")
				require.Equal(t, terminal[0], strings.TrimSuffix(ev.Row.Label+": "+ev.Row.Text, ": "))
				for len(window) > 0 && !(window[0].Head && strings.HasSuffix(window[0].Text, terminal[0])) {
					window = window[1:]
				}
				require.NotEmpty(t, window)
				for window = window[1:]; len(window) > 0 && strings.HasPrefix(window[0].Text, "  show the frame"); {
					window = window[1:]
				}
				tell(ev.Row.Rows, 1, func(r *rows.View, depth int) {
					line := fmt.Sprintf("%*s%-*s %s", 2*depth, "", rows.Indent-1-2*depth, r.Label, r.Text)
					terminal = terminal[1:]
					require.Equal(t, line, terminal[0])
					require.Equal(t, line[:rows.Indent]+r.Text, fmt.Sprintf("%-*s", rows.Indent, html.UnescapeString(cells[0][1]))+html.UnescapeString(cells[0][3]))
					shown := window[0].Text
					if r.Color != nil {
						c := *r.Color
						require.Equal(t, fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2]), cells[0][2])
						require.Equal(t, color.RGBA{c[0], c[1], c[2], 255}, window[0].Swatch)
						shown = "  " + shown
					}
					require.Equal(t, line, shown)
					cells, window = cells[1:], window[1:]
				})
				require.Len(t, terminal, 2, "the terminal has only the rows of the browser")
			}
			require.Empty(t, cells)
		})
	}
}

// Window and browser use the same names and descriptions of draws.
func TestDrawNamesAgreeWithBrowser(t *testing.T) {
	for _, name := range []string{"lights", "shadow", "gas", "arcs"} {
		t.Run(name, func(t *testing.T) {
			path := "../../testdata/traces/" + name + ".ctf"
			d := drive(t, open(t, path), Options{})
			d.keyJobs('L')
			ask, frame := browser(t, path), d.Picture().Request.Frame
			var tree struct{ Items []drawstate.Item }
			ask(&engine.Request{Op: "frame", Frame: frame}, &tree)
			var browser, window []string
			for _, i := range tree.Items {
				if i.Kind == "draw" {
					browser = append(browser, fmt.Sprintf("%s: %s; %d pixels", i.Label, i.Text, i.Pixels))
				}
			}
			for _, pass := range d.drawList.tree.Roots {
				for _, n := range pass.Children {
					window = append(window, n.Text+"; "+n.Note)
				}
			}
			require.NotEmpty(t, window)
			require.Equal(t, browser, window)

			last := len(window) - 1
			d.showDraw(last)
			d.settle()
			d.keyJobs('E')
			var draw struct{ Summary []rows.View }
			ask(&engine.Request{Op: "draw", Frame: frame, Draw: last}, &draw)
			require.Greater(t, len(draw.Summary), 5)
			lines := d.state.views[tabSummary].Lines
			require.Len(t, lines, len(draw.Summary))
			for i, r := range draw.Summary {
				require.True(t, strings.HasPrefix(strings.TrimSpace(lines[i].Text), r.Label+" "), lines[i].Text)
				require.True(t, strings.HasSuffix(lines[i].Text, " "+r.Text), lines[i].Text)
			}
		})
	}
}

// tell calls f for all rows, depth first.
func tell(list []rows.View, depth int, f func(r *rows.View, depth int)) {
	for i := range list {
		f(&list[i], depth)
		tell(list[i].Rows, depth+1, f)
	}
}
