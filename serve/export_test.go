package serve

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"pica200/pipeline"
	"pica200/pipeline/retrace"
	"pica200/scene"
	"pica200/serve/engine"
	"pica200/serve/play"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// built builds the engine for browsers once; the key says whether it includes the playground, which reads scenes.
var built = map[bool]func() (*Engine, error){
	false: sync.OnceValues(func() (*Engine, error) {
		return BuildEngine(context.Background(), "..", false, func(err error) { println(err.Error()) })
	}),
	true: sync.OnceValues(func() (*Engine, error) {
		return BuildEngine(context.Background(), "..", true, func(err error) { println(err.Error()) })
	}),
}

func bundled(t *testing.T, playground bool) *Engine {
	t.Helper()
	e := testkit.Must(built[playground]())(t)
	return e
}

// The exported page contains everything, requests nothing, and shows its name and note as text.
func TestExport(t *testing.T) {
	require.ErrorIs(t, Export(t.Context(), &bytes.Buffer{}, nil, &Bug{Name: "x"}), ErrNoEngine)
	var out bytes.Buffer
	wasm, recording := bytes.Repeat([]byte("wasm"), 1000), testkit.Named(t, "shadow")[0].Read(t)
	name := `"><script>alert(1)</script>`
	require.NoError(t, Export(t.Context(), &out, &Engine{wasm, []byte("// exec\n")}, &Bug{Name: name, Recording: recording, Note: "</script><b>x</b>"}))
	page := out.String()
	require.NotContains(t, page, name)
	for _, data := range [][]byte{wasm, recording} {
		require.Contains(t, page, ">"+base64.StdEncoding.EncodeToString(data)+"</script>")
	}
	script := regexp.MustCompile(`(?s)<script type="module">(.*)</script>`).FindStringSubmatch(page)[1]
	require.NotRegexp(t, `(?m)^(import|export) `, script)
	require.NotRegexp(t, `(?:src|href)="[^"d]`, page, "the page loads no other file")
	// Without scripts it says what it is, shows the frame and the note.
	still := regexp.MustCompile(`(?s)<div id="still".*?</div>`).FindString(page)
	require.Contains(t, still, "&lt;/script&gt;&lt;b&gt;x&lt;/b&gt;")
	require.Contains(t, still, "one frame, drawn by pica200, a model of the Nintendo 3DS's GPU in software: ")
	require.Regexp(t, `<tr><th>triangles</th><td>\d+</td></tr>`, still)
	require.Contains(t, page, "<title>&#34;&gt;&lt;script&gt;alert(1)&lt;/script&gt; – pica200</title>")
	require.Contains(t, page, `draw by draw. &lt;/script&gt;&lt;b&gt;x&lt;/b&gt;">`)
	raw := testkit.Must(base64.StdEncoding.DecodeString(regexp.MustCompile(`data:image/png;base64,([^"]+)`).FindStringSubmatch(still)[1]))(t)
	require.False(t, blank(testkit.Must(png.Decode(bytes.NewReader(raw)))(t)))
	require.Contains(t, page, "default-src &#39;none&#39;")
	require.ErrorContains(t, Export(t.Context(), &out, &Engine{wasm, []byte("</SCRIPT>")}, &Bug{Name: name, Recording: recording}), "cannot stand in a page")
}

// An exported page has the answers that it needs at the start, and what it asks for at a click on any draw.
func TestAnswersOfAnExportedPage(t *testing.T) {
	first, rest, err := answers(t.Context(), &Bug{Name: "shadow", Recording: testkit.Named(t, "shadow")[0].Read(t), At: "draw=1&picture=after&pixel=5,6"}, &engine.Known{})
	require.NoError(t, err)
	for _, c := range []struct {
		packed []byte
		want   string
	}{
		{first, "files -1, registers -1, open -1, frame -1, thumb -1, step -1, picture -1 screens, picture 1 after, draw 1, history 1, program 1 vertex, run 1 vertex"},
		{rest, "textures 0, draw 2, picture 2 after, draw 1, picture 1 after, step -1, picture -1 after, step -1, picture -1 after, draw 0, picture 0 after, step -1, picture -1 after, program 2 vertex, run 2 vertex, program 1 vertex, run 1 vertex, program 0 vertex, run 0 vertex"},
	} {
		data := testkit.Must(io.ReadAll(testkit.Must(gzip.NewReader(bytes.NewReader(c.packed)))(t)))(t)
		var asks []string
		for len(data) > 0 {
			key, n := binary.LittleEndian.Uint32(data), binary.LittleEndian.Uint32(data[4:])&^(1<<31)
			var k includedAnswer
			require.NoError(t, json.Unmarshal(data[8:8+key], &k))
			asks = append(asks, strings.TrimSpace(fmt.Sprint(k.Op, " ", k.Draw, " ", k.What)))
			data = data[8+key+n:]
		}
		require.Equal(t, c.want, strings.Join(asks, ", "))
	}
}

// blank reports whether a picture has one colour.
func blank(img image.Image) bool {
	size, first := img.Bounds(), img.At(0, 0)
	for y := size.Min.Y; y < size.Max.Y; y++ {
		for x := size.Min.X; x < size.Max.X; x++ {
			if img.At(x, y) != first {
				return false
			}
		}
	}
	return true
}

// saved is the picture that the page saves.
func (p *tab) saved() *image.NRGBA {
	p.t.Helper()
	encoded := p.text(`(() => { const a = document.getElementById("save"); a.addEventListener("click", (e) => e.preventDefault(), {once: true}); a.click(); return a.href; })()`)
	raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(encoded, "data:image/png;base64,"))
	require.NoError(p.t, err)
	img, err := png.Decode(bytes.NewReader(raw))
	require.NoError(p.t, err)
	return nrgba(img)
}

// A page that was sent shows the sender's view, with names and note that are not in the recording, before any engine runs. The
// engine of this page does not work.
func TestSentPageInABrowser(t *testing.T) {
	testkit.Slow(t)
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	testkit.Must(w.Write([]byte("no engine")))(t)
	require.NoError(t, w.Close())
	data := testkit.Named(t, "lights")[0].Read(t)
	trace := states.Parse(t, data)
	var cut, page bytes.Buffer
	testkit.Must(retrace.Cut(t.Context(), trace, 1, 1, &cut, retrace.Options{}))(t)
	edits := `{"1":[{"draw":1,"register":"GPUREG_FACECULLING_CONFIG","field":"mode","text":"front"},{"draw":1,"shader":"vertex","uniform":"c0","text":"1,0,0,0.25"}],"0":[{"draw":0}]}`
	at := alone("file=3&frame=1&draw=1&panel=shader&picture=after&pixel=118,201&vertex=5&edits="+url.QueryEscape(edits), 1)
	bug := &Bug{Name: "lights, frame 1", Recording: cut.Bytes(), Names: []string{"floor", "<i>ball</i>"}, Note: "The ball </script><b>is gone</b>.\nSince Monday.", At: at,
		Shaders: play.ShadersOf(&scene.Scene{}, nil)}
	require.NoError(t, Export(t.Context(), &page, &Engine{packed.Bytes(), []byte("class Go {}\n")}, bug))
	file := filepath.Join(t.TempDir(), "bug.html")
	require.NoError(t, os.WriteFile(file, page.Bytes(), 0o666))

	p := opened(t, "file://"+file)
	p.until(`document.getElementById("title").textContent === "Frame 0, draw 1: <i>ball</i>"`)
	p.until(count("#panel .line.ran") + " > 3")
	require.Equal(t, bug.Note, p.text(`document.getElementById("note").textContent`))
	require.Contains(t, p.text(`document.getElementById("what").textContent`), "This is lights, frame 1, drawn by pica200")
	require.Equal(t, "0", p.text(count("#still")))
	require.Equal(t, "0", p.text(count("main i, p b, #tree i")))
	require.Contains(t, p.text(`document.getElementById("edits").textContent`), "2 changes")
	require.Contains(t, p.text(`document.getElementById("edits").textContent`), "mode = front")
	require.Equal(t, "5", p.text(`document.querySelector("#panel input[type=number]").value`))
	require.Contains(t, p.text(`document.querySelector("#panel .listing.text").getAttribute("aria-label")`), ".pica", "the shader's source is exported")
	require.Contains(t, p.text(`document.getElementById("under").textContent`), "chosen 118,201")

	// Without scripts what is in its place is seen at once.
	still := newTab(t)
	testkit.Must(chromedp.Call(still.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}))(t)
	still.do(chromedp.Navigate("file://" + file))
	require.False(t, blank(still.look()))
	require.Contains(t, p.text(`document.getElementById("tree").textContent`), "floor")

	e := engine.New(engine.Options{}, engine.Recorded("", cut.Bytes(), &engine.Known{}))
	a := testkit.Must(e.Do(t.Context(), &engine.Request{Op: "picture", What: "after", Draw: 1, Edits: bug.edits()}))(t)
	got := p.saved()
	require.Len(t, a.Data, 4*got.Rect.Dx()*got.Rect.Dy())
	for i := 0; i < len(a.Data); i += 4 {
		require.Equal(t, a.Data[i:i+3], got.Pix[i:i+3])
	}
	p.keys("8")
	p.until(count("#panel .history details") + " > 0")

	// The shader of every draw is included, run on its first vertex.
	for _, draw := range []string{"0", "2"} {
		p.do(chromedp.Navigate("about:blank"), chromedp.Navigate("file://"+file+"#panel=shader&draw="+draw))
		p.until(`document.getElementById("title").textContent.startsWith("Frame 0, draw ` + draw + `")`)
		p.until(count("#panel .line.ran") + " > 3")
	}
}

// A server exports a frame only for requests with its token.
func TestExportRequests(t *testing.T) {
	s := server(t, recording(t, "lights"))
	kind := []string{"Content-Type", "application/json"}
	path := s.Path() + "export"
	require.Equal(t, 200, call(s, "GET", path, "").Code, "a server without an engine exports nothing")
	require.Equal(t, 404, call(s, "POST", path, "{}", kind...).Code)
	var got *ExportRequest
	s.Export = func(_ context.Context, r *ExportRequest) ([]byte, error) {
		if got = r; r.Frame > 1 {
			return nil, errors.New("there is no such frame")
		}
		return []byte("<!doctype html>"), nil
	}
	require.Equal(t, 204, call(s, "GET", path, "").Code)
	w := call(s, "POST", path, `{"file":0,"frame":1,"note":"n","at":"file=0&frame=1&draw=2&edits=%7B%221%22%3A%5B7%5D%2C%220%22%3A%5B8%5D%7D"}`, kind...)
	require.Equal(t, 200, w.Code)
	require.Equal(t, "<!doctype html>", w.Body.String())
	require.Contains(t, w.Header().Get("Content-Disposition"), "attachment")
	require.Equal(t, &ExportRequest{0, 1, "n", "draw=2&edits=%7B%220%22%3A%5B7%5D%7D"}, got)
	w = call(s, "POST", path, `{"frame":2}`, kind...)
	require.Equal(t, 422, w.Code)
	require.Contains(t, w.Body.String(), "there is no such frame")
	require.Equal(t, 400, call(s, "POST", path, `[]`, kind...).Code)
	require.Equal(t, 415, call(s, "POST", path, `{}`, "Content-Type", "text/plain").Code)
	require.Equal(t, 403, call(s, "POST", path, `{}`, append(kind, "Origin", "http://evil.example")...).Code)
	require.Equal(t, 403, call(s, "POST", "/wrong/export", `{}`, kind...).Code)
}

// An exported frame opens from disk without network, and in a sandbox that only allows scripts; its pictures equal the program's
// exactly.
func TestExportedPageInABrowser(t *testing.T) {
	testkit.Slow(t)
	browserEngine := bundled(t, false)
	data := testkit.Named(t, "lights")[0].Read(t)
	trace := states.Parse(t, data)
	var cut, exported bytes.Buffer
	testkit.Must(retrace.Cut(t.Context(), trace, 1, 1, &cut, retrace.Options{}))(t)
	require.NoError(t, Export(t.Context(), &exported, browserEngine, &Bug{Name: "lights, frame 1", Recording: cut.Bytes(), At: "draw=2"}))
	t.Logf("the page has %d bytes, the engine %d, the recording %d", exported.Len(), len(browserEngine.Wasm), cut.Len())
	file := filepath.Join(t.TempDir(), "bug.html")
	require.NoError(t, os.WriteFile(file, exported.Bytes(), 0o666))

	g := testkit.Must(pipeline.NewReplayer(trace, pipeline.ReplayerOptions{}))(t)
	require.NoError(t, g.Seek(t.Context(), pipeline.Position{Frame: 1, Draw: 2}))
	target := testkit.Must(g.GPU.LastTarget())(t)
	want := testkit.Must(pipeline.ColorImage(target))(t)

	// The picture before the draw is drawn by the page's engine; the page does not contain it.
	require.NoError(t, g.Seek(t.Context(), pipeline.Position{Frame: 1, Draw: 1}))
	target = testkit.Must(g.GPU.LastTarget())(t)
	before := testkit.Must(pipeline.ColorImage(target))(t)
	require.NotEqual(t, before, want)

	p := newTab(t)
	same := func(p *tab, want *image.NRGBA) {
		t.Helper()
		got := p.saved()
		require.Equal(t, want.Rect, got.Bounds())
		different := 0
		for y := range want.Rect.Dy() {
			for x := range want.Rect.Dx() {
				r, gr, b, _ := got.At(x, y).RGBA()
				if c := want.NRGBAAt(x, y); uint32(c.R) != r>>8 || uint32(c.G) != gr>>8 || uint32(c.B) != b>>8 {
					different++
				}
			}
		}
		require.Zero(t, different, "number of differing pixels")
	}
	look := func(p *tab, start time.Time) {
		t.Helper()
		p.until(count("#tree .row.draw") + " >= 3")
		p.until(`!document.getElementById("save").hidden`)
		t.Logf("first picture after %v", time.Since(start).Round(time.Millisecond))
		p.idle()
		require.Empty(t, p.text(`document.getElementById("problem").textContent`))
		same(p, want)
		p.enter("#picture", "before")
		p.until(`document.getElementById("save").download === "before.png"`)
		t.Logf("a picture by the page's engine after %v", time.Since(start).Round(time.Millisecond))
		same(p, before)
	}
	// posted collects the requests that the page sends to its engine.
	p.script(`var posted = []; { const post = Worker.prototype.postMessage; Worker.prototype.postMessage = function (m) { if (m.request) posted.push(m.request); post.call(this, m); }; }`)
	requests := 0
	require.NoError(t, chromedp.Listen(p.ctx, func(ev any) {
		if e, ok := ev.(*network.EventRequestWillBeSent); ok && strings.HasPrefix(e.Request.URL, "http") {
			requests++
		}
	}))
	testkit.Must(chromedp.Call(p.ctx, network.Enable, network.EnableParams{}))(t)

	box := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/" {
			_, _ = io.WriteString(w, `<!doctype html><title>box</title><link rel="icon" href="data:,"><iframe sandbox="allow-scripts" src="bug.html" width="1400" height="780"></iframe>`)
			return
		}
		_, _ = w.Write(exported.Bytes())
	}))
	t.Cleanup(box.Close)

	// From disk, with the network off.
	off := func(off bool) {
		_, err := chromedp.Call(p.ctx, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
			MatchedNetworkConditions: []*network.Conditions{{Offline: off, DownloadThroughput: -1, UploadThroughput: -1}},
		})
		require.NoError(t, err)
	}
	off(true)
	require.Error(t, chromedp.Do(p.ctx, chromedp.Navigate(box.URL)), "the network is off")
	requests = 0
	start := time.Now()
	p.do(chromedp.Navigate("file://" + file))
	look(p, start)
	require.Zero(t, requests)
	p.keys("7")
	p.until(count("#panel .line.ran") + " > 3")
	p.keep("exported")
	off(false)

	// The engine first prepares draw after draw in the background, to the last.
	const background = `posted.filter((r) => r.background)`
	p.until(background + ".length === 5")
	require.Equal(t, `["history 0","picture 0","history 2","picture 2","list undefined"]`, p.text("JSON.stringify("+background+".map((r) => `${r.op} ${r.draw}`))"))

	// The list is sorted by the times it shows, which come from the exporting program.
	p.choose("#order", "us")
	const times = `[...document.querySelectorAll("#tree .row.draw .num:last-child")].map((e) => Number(e.textContent.replace(",", "")))`
	require.Equal(t, "3", p.text(times+".length"))
	require.Equal(t, "true", p.text(`((list) => list.every((n, i) => !(i > 0 && n > list[i - 1])))(`+times+`)`))
	require.Equal(t, p.text(`JSON.parse(document.getElementById("more").textContent).known.us.sort((a, b) => b - a)`), p.text(times))

	// In an iframe that may only run scripts.
	start = time.Now()
	p.do(chromedp.Navigate(box.URL))
	f := p.frame()
	require.Equal(t, "null", f.text("self.origin"))
	look(f, start)
	require.Equal(t, 2, requests, "only the two pages are requested")

	// Requests without a stored answer do not wait for the stored answers, which never arrive here.
	p.script(`{ const stream = Blob.prototype.stream; let n = 0; Blob.prototype.stream = function () { return n++ === 1 ? new ReadableStream() : stream.call(this); }; }`)
	p.do(chromedp.Navigate("about:blank"), chromedp.Navigate("file://"+file+"#panel=pixel&pixel=100,100"))
	p.until(count("#panel .history details") + " > 0")
}
