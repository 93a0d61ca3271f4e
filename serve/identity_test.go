package serve

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"pica200/explain/drawstate"
	"pica200/golden"
	"pica200/scene/scenebuild"
	"pica200/serve/engine"
	"pica200/serve/play"
	"pica200/tests/testkit"
)

var identity = flag.Bool("identity", false, "TestWebAssemblyDrawsTheSame draws all golden scenes and eight recorded traces (minutes), not only two of our own traces")

// compared are the pictures of a frame's last draw, and the screens, that the test compares.
var compared = []string{"after", "depth", "stencil", "gas", "shadow", "overdraw", "normal", "top", "bottom"}

// inBrowser is the WebAssembly engine in a worker of a page.
type inBrowser struct {
	*tab
	host *httptest.Server
	data map[string][]byte // files that the page may fetch
}

func newInBrowser(t *testing.T, e *Engine) *inBrowser {
	t.Helper()
	files := testkit.Must(Site(e, nil))(t)
	b := &inBrowser{tab: newTab(t), data: files}
	b.host = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		if strings.HasSuffix(name, ".js") {
			w.Header().Set("Content-Type", "text/javascript")
		} else {
			w.Header().Set("Content-Type", "text/html")
		}
		_, _ = w.Write(b.data[name])
	}))
	t.Cleanup(b.host.Close)
	b.data["blank.html"] = []byte("<!doctype html><title>identity</title>")
	b.do(chromedp.Navigate(b.host.URL + "/blank.html"))
	b.await(`import("/net.js").then(({ overWorker }) => {
		window.engine = overWorker("/engine.js", { url: "/engine.wasm.gz" });
		window.sums = async (requests, recording) => {
			if (recording) await engine({ op: "files", name: "recording" }, undefined, await (await fetch(recording)).arrayBuffer());
			const out = [];
			for (const r of requests) {
				try {
					const { head, data } = await engine(r);
					const sum = data ? [...new Uint8Array(await crypto.subtle.digest("SHA-256", data))].map((b) => b.toString(16).padStart(2, "0")).join("") : "";
					out.push(head.width + "x" + head.height + " " + head.format + " " + sum);
				} catch (e) {
					out.push(e.code + ": " + e.message);
				}
			}
			return JSON.stringify(out);
		};
	})`)
	return b
}

// await returns the result of a JavaScript promise as text.
func (b *inBrowser) await(js string) string {
	b.t.Helper()
	got, err := chromedp.Run(b.ctx, chromedp.Evaluate[string]("Promise.resolve("+js+").then((x) => String(x))", chromedp.EvalAwaitPromise))
	require.NoError(b.t, err)
	return got
}

// sums returns the browser engine's answers to requests, one line each.
func (b *inBrowser) sums(requests []*engine.Request, recording []byte) (out []string) {
	b.t.Helper()
	list, err := json.Marshal(requests)
	require.NoError(b.t, err)
	name := "null"
	if recording != nil {
		b.data["recording"], name = recording, `"/recording"`
	}
	require.NoError(b.t, json.Unmarshal([]byte(b.await("sums("+string(list)+", "+name+")")), &out))
	require.Len(b.t, out, len(requests))
	return out
}

// sums returns the native engine's answers in the same format.
func sums(t *testing.T, e *engine.Engine, requests []*engine.Request) (out []string) {
	t.Helper()
	for _, r := range requests {
		a, err := e.Do(t.Context(), r)
		if err != nil {
			said := engine.ErrorOf(err)
			out = append(out, said.Code+": "+said.Text)
			continue
		}
		p, ok := a.Value.(engine.Picture)
		if s, of := a.Value.(play.Picture); of {
			p, ok = s.Picture, true
		}
		require.True(t, ok, r.What)
		sum := sha256.Sum256(a.Data)
		out = append(out, fmt.Sprintf("%dx%d %s %s", p.Width, p.Height, p.Format, hex.EncodeToString(sum[:])))
	}
	return out
}

// pictures lists the requests to compare for a recording, for at most four frames.
func pictures(t *testing.T, e *engine.Engine) (list []*engine.Request) {
	t.Helper()
	trace, _ := ofEngine[map[string]any](t, e, &engine.Request{Op: "open"})
	data := testkit.Must(json.Marshal(trace["file"]))(t)
	var file struct{ Frames int }
	require.NoError(t, json.Unmarshal(data, &file))
	for frame := range min(file.Frames, 4) {
		a := testkit.Must(e.Do(t.Context(), &engine.Request{Op: "frame", Frame: frame}))(t)
		data := testkit.Must(json.Marshal(a.Value))(t)
		var info struct{ Items []drawstate.Item }
		require.NoError(t, json.Unmarshal(data, &info))
		last := -1
		for _, i := range info.Items {
			if i.Kind == "draw" && !i.LeftOut {
				last = i.Draw
			}
		}
		for _, what := range compared {
			r := &engine.Request{Op: "picture", Frame: frame, Draw: last, What: what}
			if what == "top" || what == "bottom" {
				r.Draw = -1
			}
			list = append(list, r)
		}
	}
	return list
}

func ofEngine[T any](t *testing.T, e *engine.Engine, r *engine.Request) (T, []byte) {
	t.Helper()
	a := testkit.Must(e.Do(t.Context(), r))(t)
	v, ok := a.Value.(T)
	require.True(t, ok)
	return v, a.Data
}

// The WebAssembly engine draws the same as the program, bit for bit: colours, depth, stencil, gas, shadow, views, and both screens.
func TestWebAssemblyDrawsTheSame(t *testing.T) {
	testkit.Slow(t)
	bundle := bundled(t, false)
	type recorded struct {
		name string
		data []byte
	}
	var list []recorded
	own := []string{"lights", "shadow"}
	if *identity {
		own = append(own, "gas", "arcs")
	}
	for _, tr := range testkit.Named(t, own...) {
		list = append(list, recorded{tr.Name, tr.Read(t)})
	}
	if *identity {
		cases := testkit.Must(golden.LoadDir("../testdata/golden"))(t)
		for _, c := range cases {
			st := testkit.Must(scenebuild.Load(c.SourcePath(), "../testdata"))(t, c.Name)
			data := testkit.Must(st.Record(t.Context(), []float64{c.T}, scenebuild.Options{}))(t, c.Name)
			list = append(list, recorded{"golden " + c.Name, data})
		}
		for _, name := range []string{"b_game", "g_gas1", "particles", "proctex", "mipmap_fog", "x_shadow", "x_texenv", "stereoscopic_2d"} {
			for _, tr := range testkit.Recorded(t, name) {
				list = append(list, recorded{tr.Name, tr.Read(t)})
			}
		}
	}
	b := newInBrowser(t, bundle)
	total := 0
	for _, r := range list {
		native := engine.New(engine.Options{}, sourceOf(r.name, r.data))
		defer native.Close()
		asked := pictures(t, native)
		want := sums(t, native, asked)
		got := b.sums(asked, r.data)
		n := 0
		for i := range want {
			require.Equal(t, want[i], got[i], "%s, frame %d, draw %d: %s", r.name, asked[i].Frame, asked[i].Draw, asked[i].What)
			if !strings.Contains(want[i], ": ") {
				n++
			}
		}
		require.Positive(t, n, r.name)
		total += n
		t.Logf("%s: %d pictures are the same", r.name, n)
	}
	t.Logf("%d pictures of %d recordings are the same", total, len(list))
	if *identity {
		sameScenes(t)
	}
}

// sameScenes compares scenes that are read, assembled and drawn in the browser with the program's.
func sameScenes(t *testing.T) {
	t.Helper()
	b := newInBrowser(t, bundled(t, true))
	native := engine.New(engine.Options{Scenes: play.Scenes{}})
	defer native.Close()
	n := 0
	for _, dir := range []string{"examples", "../testdata/scenes"} {
		examples := testkit.Must(play.Examples(dir))(t)
		for _, x := range examples {
			asked := []*engine.Request{{Op: "scene", Files: x.Files}}
			want := sums(t, native, asked)
			require.NotContains(t, want[0], ": ", x.Name)
			require.Equal(t, want, b.sums(asked, nil), x.Name)
			n++
		}
	}
	t.Logf("%d scenes are the same", n)
}
