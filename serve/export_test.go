package serve

import (
	"bytes"
	"context"
	"encoding/base64"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/pipeline"
	"pica200/pipeline/retrace"
	"pica200/tests/testkit"
)

// built gives the engine for browsers, with which playground reads scenes, built once.
var built = map[bool]func() (*Engine, error){
	false: sync.OnceValues(func() (*Engine, error) { return BuildEngine(context.Background(), "..", false) }),
	true:  sync.OnceValues(func() (*Engine, error) { return BuildEngine(context.Background(), "..", true) }),
}

func bundled(t *testing.T, playground bool) *Engine {
	t.Helper()
	e, err := built[playground]()
	require.NoError(t, err)
	return e
}

// The exported page holds everything, asks for nothing, and says what it is of as
// text.
func TestExport(t *testing.T) {
	require.ErrorIs(t, Export(t.Context(), &bytes.Buffer{}, nil, "x", nil), ErrNoEngine)
	var out bytes.Buffer
	wasm, recording := bytes.Repeat([]byte("wasm"), 1000), testkit.Named(t, "shadow")[0].Read(t)
	name := `"><script>alert(1)</script>`
	require.NoError(t, Export(t.Context(), &out, &Engine{wasm, []byte("// exec\n")}, name, recording))
	page := out.String()
	require.NotContains(t, page, name)
	for _, data := range [][]byte{wasm, recording} {
		require.Contains(t, page, ">"+base64.StdEncoding.EncodeToString(data)+"</script>")
	}
	script := regexp.MustCompile(`(?s)<script type="module">(.*)</script>`).FindStringSubmatch(page)[1]
	require.NotRegexp(t, `(?m)^(import|export) `, script)
	require.NotRegexp(t, `(?:src|href)="[^"d]`, page, "nothing is loaded")
	require.Contains(t, page, "default-src &#39;none&#39;")
	require.ErrorContains(t, Export(t.Context(), &out, &Engine{wasm, []byte("</SCRIPT>")}, name, recording), "cannot stand in a page")
}

// An exported frame opens from a disk without a network, and where it may do
// nothing but run scripts; its pictures are those of the program, bit for bit.
func TestExportedPageInABrowser(t *testing.T) {
	testkit.Slow(t)
	engine := bundled(t, false)
	data := testkit.Named(t, "lights")[0].Read(t)
	trace, err := picatrace.Parse(data)
	require.NoError(t, err)
	var cut, page bytes.Buffer
	_, err = retrace.Cut(t.Context(), trace, 1, 1, &cut, retrace.Options{})
	require.NoError(t, err)
	require.NoError(t, Export(t.Context(), &page, engine, "lights, frame 1", cut.Bytes()))
	t.Logf("the page has %d bytes, the engine %d, the recording %d", page.Len(), len(engine.Wasm), cut.Len())
	file := filepath.Join(t.TempDir(), "bug.html")
	require.NoError(t, os.WriteFile(file, page.Bytes(), 0o666))

	g, err := pipeline.NewReplayer(trace, pipeline.ReplayerOptions{})
	require.NoError(t, err)
	require.NoError(t, g.Seek(t.Context(), pipeline.Position{Frame: 1, Draw: 2}))
	target, err := g.GPU.LastTarget()
	require.NoError(t, err)
	want, err := pipeline.ColorImage(target)
	require.NoError(t, err)

	// The picture before the draw is made by the page's engine, not carried.
	require.NoError(t, g.Seek(t.Context(), pipeline.Position{Frame: 1, Draw: 1}))
	target, err = g.GPU.LastTarget()
	require.NoError(t, err)
	before, err := pipeline.ColorImage(target)
	require.NoError(t, err)
	require.NotEqual(t, before, want)

	p := &tab{t: t, ctx: browser(t)}
	same := func(p *tab, want *image.NRGBA) {
		t.Helper()
		encoded := p.text(`(() => { const a = document.getElementById("save"); a.addEventListener("click", (e) => e.preventDefault(), {once: true}); a.click(); return a.href; })()`)
		raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(encoded, "data:image/png;base64,"))
		require.NoError(t, err)
		got, err := png.Decode(bytes.NewReader(raw))
		require.NoError(t, err)
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
		require.Zero(t, different, "pixels that differ")
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
	requests := 0
	require.NoError(t, chromedp.Listen(p.ctx, func(ev any) {
		if e, ok := ev.(*network.EventRequestWillBeSent); ok && strings.HasPrefix(e.Request.URL, "http") {
			requests++
		}
	}))
	_, err = chromedp.Call(p.ctx, network.Enable, network.EnableParams{})
	require.NoError(t, err)

	box := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/" {
			_, _ = io.WriteString(w, `<!doctype html><title>box</title><link rel="icon" href="data:,"><iframe sandbox="allow-scripts" src="bug.html" width="1400" height="780"></iframe>`)
			return
		}
		_, _ = w.Write(page.Bytes())
	}))
	t.Cleanup(box.Close)

	// From a disk, with the network switched off.
	off := func(off bool) {
		_, err = chromedp.Call(p.ctx, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
			MatchedNetworkConditions: []*network.Conditions{{Offline: off, DownloadThroughput: -1, UploadThroughput: -1}},
		})
		require.NoError(t, err)
	}
	off(true)
	require.Error(t, chromedp.Do(p.ctx, chromedp.Navigate(box.URL)), "it is off")
	requests = 0
	start := time.Now()
	p.do(chromedp.Navigate("file://" + file))
	look(p, start)
	require.Zero(t, requests)
	p.leave()
	p.press("7")
	p.until(count("#panel .line.ran") + " > 3")
	p.keep("exported")
	off(false)

	// In a frame that may run scripts and nothing else.
	start = time.Now()
	p.do(chromedp.Navigate(box.URL))
	f := p.frame()
	require.Equal(t, "null", f.text("self.origin"))
	look(f, start)
	require.Equal(t, 2, requests, "the two pages themselves")
}
