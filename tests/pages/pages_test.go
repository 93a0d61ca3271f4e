// Package pages opens generated pages in a browser: they are self-contained and readable in light and dark mode, and names from
// files stay text.
package pages

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/explain"
	"pica200/golden"
	"pica200/pipeline"
	"pica200/tests/testkit"
)

// hostile is a name that contains HTML, a script and a URL.
const hostile = `"><script>document.title="owned"</script><img src=http://127.0.0.1:1/x onerror="document.title='owned'">'` + "`${alert(1)}` \u202e"

// browser is a headless Chromium with the list of URLs that its pages requested.
type browser struct {
	t     *testing.T
	ctx   context.Context
	mu    sync.Mutex
	asked []string
}

func start(t *testing.T) *browser {
	testkit.Slow(t)
	path := testkit.Chromium(t)
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()), chromedp.NoSandbox, chromedp.NoFirstRun,
		chromedp.Headless, chromedp.DisableGPU, chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("disable-dev-shm-usage", true),
		// Pages made in advance for the list below the address bar compute for three seconds.
		chromedp.Flag("disable-features", "WebUIOmniboxPopup,WebUIOmniboxAimPopup"), chromedp.WindowSize(1200, 800), chromedp.WSURLReadTimeout(time.Minute))
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancel)
	b := &browser{t: t, ctx: ctx}
	require.NoError(t, chromedp.Listen(ctx, func(ev any) {
		switch e := ev.(type) {
		case *runtime.EventExceptionThrown:
			t.Errorf("the page threw: %s", e.ExceptionDetails.Text)
		case *page.EventJavascriptDialogOpening:
			t.Errorf("the page opened a dialog: %s", e.Message)
		case *network.EventRequestWillBeSent:
			b.mu.Lock()
			defer b.mu.Unlock()
			if !strings.HasPrefix(e.Request.URL, "data:") {
				b.asked = append(b.asked, e.Request.URL)
			}
		}
	}))
	testkit.Must(chromedp.Call(ctx, network.Enable, network.EnableParams{}))(t)
	return b
}

// open opens a file and requires that it requests nothing else.
func (b *browser) open(file string) {
	b.t.Helper()
	b.mu.Lock()
	b.asked = nil
	b.mu.Unlock()
	address := (&url.URL{Scheme: "file", Path: file}).String()
	require.NoError(b.t, chromedp.Do(b.ctx, chromedp.Navigate(address)))
	b.mu.Lock()
	defer b.mu.Unlock()
	require.Equal(b.t, []string{address}, b.asked)
}

// js returns the value of a JavaScript expression as text.
func (b *browser) js(expression string) string {
	b.t.Helper()
	got, err := chromedp.Run(b.ctx, chromedp.Evaluate[string]("String("+expression+")"))
	require.NoError(b.t, err, expression)
	return got
}

// shot returns a screenshot of the page, which -artifacts keeps.
func (b *browser) shot(name, scheme string) image.Image {
	b.t.Helper()
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	require.NoError(b.t, err)
	data, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	require.NoError(b.t, err)
	require.NoError(b.t, os.WriteFile(filepath.Join(b.t.ArtifactDir(), name+"-"+scheme+".png"), data, 0o666))
	img, err := png.Decode(bytes.NewReader(data))
	require.NoError(b.t, err)
	return img
}

// readable requires a light page with dark text in light mode, and the reverse in dark mode.
func (b *browser) readable(name string) {
	b.t.Helper()
	for _, scheme := range []string{"light", "dark"} {
		img := b.shot(name, scheme)
		var darkest, lightest uint32 = 0xFFFF, 0
		var sum, n uint64
		for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y += 2 {
			for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x += 2 {
				r, g, bl, _ := img.At(x, y).RGBA()
				l := (2*r + 5*g + bl) / 8
				darkest, lightest = min(darkest, l), max(lightest, l)
				sum, n = sum+uint64(l), n+1
			}
		}
		mean := float64(sum) / float64(n) / 0xFFFF
		require.Equal(b.t, scheme == "light", mean > 0.5, "%s in the %s: %g", name, scheme, mean)
		require.Less(b.t, darkest, uint32(0x6000), "%s in the %s", name, scheme)
		require.Greater(b.t, lightest, uint32(0xA000), "%s in the %s", name, scheme)
	}
}

// On the page of a pixel every event can be opened, colours are shown, and names are text.
func TestExplainPage(t *testing.T) {
	b := start(t)
	trace := testkit.Must(picatrace.Parse(testkit.Named(t, "shadow")[0].Read(t)))(t)
	r := testkit.Must(pipeline.NewReplayer(trace, pipeline.ReplayerOptions{}))(t)
	e := testkit.Must(explain.Pixel(t.Context(), r, pipeline.Position{Draw: pipeline.FrameEnd}, 100, 70))(t)
	e.Passes = testkit.Must(explain.Passes(t.Context(), r, e))(t)
	e.SetNames(func(frame, draw int) string { return hostile })
	var out bytes.Buffer
	require.NoError(t, explain.WritePage(&out, hostile, e))
	file := filepath.Join(t.TempDir(), "page.html")
	require.NoError(t, os.WriteFile(file, out.Bytes(), 0o666))

	b.open(file)
	require.Equal(t, strings.TrimSpace(hostile), strings.TrimSpace(b.js("document.title")))
	require.Equal(t, "0", b.js("document.scripts.length + document.images.length + document.links.length"))
	events := len(e.Events)
	for _, p := range e.Passes {
		events += len(p.Events)
	}
	require.Equal(t, strconv.Itoa(events), b.js(`document.querySelectorAll("details").length`))
	require.Equal(t, strconv.Itoa(1+len(e.Passes)), b.js(`document.querySelectorAll("details[open]").length`), "the last event of each pixel is open")
	require.Contains(t, b.js(`[...document.querySelectorAll("summary")].map(s => s.textContent).join()`), hostile[:20])
	c := e.Events[len(e.Events)-1].After.Color
	require.Equal(t, "rgb("+strconv.Itoa(int(c[0]))+", "+strconv.Itoa(int(c[1]))+", "+strconv.Itoa(int(c[2]))+")",
		b.js(`getComputedStyle([...document.querySelectorAll("h2")][0].parentElement.querySelectorAll("details")[`+strconv.Itoa(len(e.Events)-1)+`].querySelectorAll("summary i")[1]).backgroundColor`))
	b.js(`document.querySelectorAll("summary").forEach(s => s.click())`)
	require.Equal(t, strconv.Itoa(events-1-len(e.Passes)), b.js(`document.querySelectorAll("details[open]").length`), "clicks close the open events and open all others")
	b.js(`document.querySelectorAll("details").forEach(d => d.open = true)`)
	require.Equal(t, "true", b.js("document.documentElement.scrollWidth <= innerWidth"), "long names do not widen the page")
	b.readable("explain")
	require.NotEqual(t, "owned", b.js("document.title"))
}

// The report of a suite embeds its pictures; selecting an image shows the command that approves it.
func TestGoldenReport(t *testing.T) {
	b := start(t)
	dir, report := t.TempDir(), t.TempDir()
	put := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	const name = `a"><img src=x onerror=alert(1)>'$(touch x)`
	scene := "name: " + strconv.Quote(`</script><script>alert(2)</script>`) + "\ntarget: {width: 128, height: 64, clear: {color: [0.2, 0.4, 0.6, 1], depth: 1}}\nmodels: {q: {shape: box}}\ndraws: [{model: q}]\n"
	put("s.yaml", scene)
	for _, n := range []string{name, "b"} {
		put(n+".case.yaml", "source: s.yaml\nimages: [{target: color, tolerance: {delta: 1, reason: \"<b>bold</b>\"}}]\n")
	}
	other := strings.Replace(scene, "shape: box", "shape: sphere", 1)
	put("t.yaml", other)
	put("c.case.yaml", "source: t.yaml\n")
	testkit.Must(golden.RunDir(t.Context(), dir, golden.Options{Update: true}))(t)
	put("s.yaml", strings.Replace(scene, "0.2, 0.4, 0.6", "0.8, 0.4, 0.6", 1))
	put("t.yaml", strings.Replace(other, "0.2, 0.4, 0.6", "0.2, 0.4, 0.7", 1))
	res := testkit.Must(golden.RunDir(t.Context(), dir, golden.Options{Out: report}))(t)
	require.Equal(t, 3, res.Count(golden.Differs))
	require.NoError(t, res.WriteReports(report))

	b.open(filepath.Join(report, golden.HTMLFile))
	require.Equal(t, "2", b.js(`document.querySelectorAll("nav .grp").length`), "two groups: two cases share their difference")
	b.js(`document.querySelector("nav button").click()`)
	require.Equal(t, "true", b.js(`[...document.images, ...document.querySelectorAll("canvas")].some(i => (i.naturalWidth || i.width) >= 128)`))
	require.NotContains(t, b.js(`document.querySelector("#info").innerHTML`), "<b>bold")
	b.js(`document.querySelector("nav input").click()`)
	command := b.js(`document.querySelector("#cmd code").textContent`)
	require.Contains(t, command, "pica200 golden approve")
	b.readable("golden")
	// The command is one shell command for any case names.
	fake := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(fake, "pica200"), []byte("#!/bin/sh\nprintf '%s\\n' \"$@\"\n"), 0o777))
	sh := exec.Command("sh", "-c", command)
	sh.Dir, sh.Env = fake, []string{"PATH=" + fake + ":" + os.Getenv("PATH")}
	said, err := sh.CombinedOutput()
	require.NoError(t, err, "%s\n%s", command, said)
	require.True(t, strings.HasPrefix(string(said), "golden\napprove\n"), string(said))
	require.Contains(t, string(said), name+":color\n")
	require.NotContains(t, string(said), "c:color")
	require.NoFileExists(t, filepath.Join(fake, "x"))
	b.mu.Lock()
	defer b.mu.Unlock()
	require.Len(t, b.asked, 1, "the page sends no requests: %v", b.asked)
}
