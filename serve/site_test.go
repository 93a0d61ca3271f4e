package serve

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"image/png"
	"maps"
	"mime"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"pica200/assets/shbin"
	"pica200/scene/scenebuild"
	"pica200/serve/play"
	"pica200/tests/testkit"
)

// site serves the playground as static files, with an engine that reads scenes.
func site(t *testing.T) *httptest.Server {
	t.Helper()
	examples := testkit.Must(play.SiteFiles("examples"))(t)
	files := testkit.Must(Site(bundled(t, true), examples))(t)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		if name == "" {
			name = "index.html"
		}
		data, ok := files[name]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", mime.TypeByExtension(filepath.Ext(name)))
		_, _ = w.Write(data)
	}))
	t.Cleanup(s.Close)
	return s
}

// drawn waits until the playground shows the picture of its texts.
func (p *tab) drawn() {
	p.t.Helper()
	p.until(`document.getElementById("view").dataset.drawn === location.hash && document.getElementById("busy").textContent === ""`)
}

// The debugger of the playground says that it has no server, and has the policy of the playground's page.
func TestSiteFiles(t *testing.T) {
	files := testkit.Must(Site(&Engine{Wasm: []byte("wasm"), Exec: []byte("// exec\n")}, map[string][]byte{"more": nil}))(t)
	require.Contains(t, files, "more")
	require.True(t, strings.HasPrefix(string(files["engine.js"]), "// exec\n"))
	policy := metaPolicy(string(files["index.html"]))
	require.NotEmpty(t, policy)
	for _, once := range []string{`<html lang="en" data-site>`, policy, "python3 -m http.server"} {
		require.Equal(t, 1, strings.Count(string(files["debug.html"]), once), once)
	}
}

// The playground: a picture, an error with its position, a link that holds the program, downloads, and the frame in the debugger.
func TestPlaygroundInABrowser(t *testing.T) {
	testkit.Slow(t)
	host := site(t)
	p, start := newTab(t), time.Now()
	p.do(chromedp.Navigate(host.URL + "/"))
	p.drawn()
	t.Logf("first picture after %v", time.Since(start).Round(time.Millisecond))
	require.Contains(t, p.text(`document.getElementById("state").textContent`), "1 draw,")
	require.Equal(t, "No errors", p.text(`document.getElementById("count").textContent`))
	const picture = `document.getElementById("canvas").toDataURL()`
	first := p.text(picture)
	p.until(`[...document.querySelectorAll(".t-variable")].some((e) => e.textContent === "projection")`)

	// A typed error shows its position and the expectation; the picture stays.
	p.mark("mul r2.x, r2.x")
	p.press(kb.ArrowLeft, kb.Delete, kb.Delete, kb.Delete)
	p.do(chromedp.KeyEvent("m"), chromedp.KeyEvent("u"), chromedp.KeyEvent("k"))
	p.until(count("#problems .error") + " > 0")
	p.drawn()
	said := p.text(`document.querySelector("#problems .error").textContent`)
	require.Regexp(t, `^hill\.v\.pica:31:2 error: .*muk`, said)
	require.Equal(t, "muk", p.text(`document.querySelector(".cm-lintRange-error").textContent`))
	require.Equal(t, "1", p.text(count(".cm-gutters .cm-lint-marker-error")))
	require.Contains(t, p.text(`document.querySelector(".files [aria-selected=true]").textContent`), "✖")
	require.Equal(t, "1 error", p.text(`document.getElementById("count").textContent`))
	p.keep("playground")
	p.do(chromedp.Click("#problems .error button"))
	require.Equal(t, "muk", p.text(`getSelection()`))
	p.down('.', kb.ModifierCtrl)
	p.until(shownText + `.includes("mul r2.x")`)
	p.down('z', kb.ModifierCtrl)
	p.until(count("#problems .error") + " > 0")
	p.drawn()
	p.text(`[...document.querySelectorAll("#problems .error button")].find((b) => b.textContent === "Replace with mul").click()`)
	p.until(`document.getElementById("count").textContent === "No errors"`)
	p.drawn()
	require.Equal(t, first, p.text(picture))

	// An error in the scene, beside a linter finding.
	p.do(chromedp.Click(`.files button:nth-child(2)`))
	source := p.text(shownText)
	require.Contains(t, source, "hill.v.pica bends")
	p.write(strings.Replace(source, "fovy: 40", "fovy: 400", 1))
	p.until(count("#problems .error") + " === 1")
	require.Regexp(t, `^scene\.yaml:4:\d+ error: 400 degrees`, p.text(`document.querySelector("#problems .error").textContent`))
	p.write(strings.Replace(source, "high: [1, 0.75, 0.4, 1]", "high: [0.1, 1, 0.2, 1]", 1))
	p.until(`document.getElementById("count").textContent === "No errors"`)
	p.drawn()
	green := p.text(picture)
	require.NotEqual(t, first, green)

	// The link holds the program: opening it draws the same picture.
	link := p.text("location.href")
	require.Less(t, len(link), 4000)
	p.do(chromedp.Navigate("about:blank"), chromedp.Navigate(link))
	p.drawn()
	p.until(picture + " === " + quote(green))
	require.Equal(t, link, p.text("location.href"))
	require.Equal(t, "scene.yaml", p.text(`document.querySelector(".files [aria-selected=true]").textContent`), "the text that was edited")
	require.Contains(t, p.text(shownText), "0.1, 1, 0.2")

	// Downloads.
	dir := t.TempDir()
	_, err := chromedp.Call(p.ctx, cdpbrowser.SetDownloadBehavior, cdpbrowser.SetDownloadBehaviorParams{Behavior: "allow", DownloadPath: dir})
	require.NoError(t, err)
	got := func(button, name string) []byte {
		t.Helper()
		p.do(chromedp.Click(button))
		var data []byte
		require.Eventually(t, func() bool {
			var err error
			data, err = os.ReadFile(filepath.Join(dir, name))
			return err == nil && len(data) > 0
		}, 20*time.Second, 10*time.Millisecond, name)
		return data
	}
	archive := got("#zip", "scene.zip")
	z := testkit.Must(zip.NewReader(bytes.NewReader(archive), int64(len(archive))))(t)
	folder := t.TempDir()
	require.Len(t, z.File, 2)
	require.NoError(t, os.CopyFS(folder, z))
	st := testkit.Must(scenebuild.Load(filepath.Join(folder, "scene.yaml")))(t, "the downloaded archive contains a scene")
	file := testkit.Must(shbin.Parse(got("#shbin", "hill.shbin")))(t)
	require.Len(t, file.Executables, 1)
	img := testkit.Must(png.Decode(bytes.NewReader(got("#png", "scene.png"))))(t)
	want := testkit.Must(nativePicture(t, st))(t)
	require.Equal(t, want, nrgba(img), "the picture equals that of the program")

	// The same frame in the debugger.
	p.do(chromedp.Navigate(host.URL + "/" + p.text(`document.getElementById("debug").getAttribute("href")`)))
	p.until(count("#tree .row.draw") + " === 1")
	p.until(`!document.getElementById("save").hidden`)
	p.idle()
	p.press("p", "7")
	p.until(count("#panel .line.ran") + " > 3")
	require.Empty(t, p.text(`document.getElementById("problem").textContent`))
}

// A link from an unknown source is treated as text, within limits.
func TestHostileLinksInABrowser(t *testing.T) {
	testkit.Slow(t)
	p := newTab(t)
	host := site(t)
	for _, c := range []struct{ program, want string }{
		{`{"files":{"scene.yaml":"<img src=x onerror='document.title=1'>"}}`, ""},
		{`{"files":{"<img src=x onerror=alert(1)>.pica":"x","scene.yaml":"name: \"<b>x</b>\"\nabout: <i>y</i>\ndraws: []"}}`, ""},
		{`{"files":{"../scene.yaml":"x"}}`, "holds no program"},
		{`{"files":{}}`, "holds no program"},
		{`{"files":{"scene.yaml":7}}`, "holds no program"},
		{`[]`, "holds no program"},
		{`null`, "holds no program"},
		{`{"files":{"scene.yaml":"` + strings.Repeat("x", 1<<20) + `"}}`, "holds too much"},
	} {
		if p.text("location.href") == "about:blank" {
			p.do(chromedp.Navigate(host.URL + "/"))
			p.until(`document.getElementById("busy").textContent === "" && "drawn" in document.getElementById("view").dataset`)
		}
		p.text(`document.getElementById("problem").textContent = ""`)
		p.text(`(async () => { const { pack } = await import("./link.js"); location.hash = "#p=" + await pack(JSON.parse(` + quote(c.program) + `)); })()`)
		if c.want != "" {
			p.until(`document.getElementById("problem").textContent.includes(` + quote(c.want) + `)`)
			continue
		}
		p.until(count("#problems .error") + " > 0")
		require.Equal(t, "0", p.text(count("main img, main b, main i")), c.program)
	}
	p.text(`(() => { location.hash = "#p=AAAA!"; })()`)
	p.until(`document.getElementById("problem").textContent.includes("damaged")`)

	// The page does not go on "working" where a part of it is missing.
	p.script(`{ const real = fetch; fetch = (to, ...more) => to === "examples.json" ? Promise.reject(new TypeError("Failed to fetch")) : real(to, ...more); }`)
	p.do(chromedp.Navigate("about:blank"), chromedp.Navigate(host.URL+"/"))
	p.until(`document.getElementById("problem").textContent === "the examples cannot be loaded; is the web server still there?"`)
	require.Equal(t, "Not drawn", p.text(`document.getElementById("count").textContent`))
}

// fragment is the part of an address that holds a program.
func fragment(t *testing.T, files map[string]string) string {
	t.Helper()
	data := testkit.Must(json.Marshal(map[string]any{"files": files}))(t)
	var packed bytes.Buffer
	w := testkit.Must(flate.NewWriter(&packed, flate.BestCompression))(t)
	testkit.Must(w.Write(data))(t)
	require.NoError(t, w.Close())
	return "#p=" + base64.RawURLEncoding.EncodeToString(packed.Bytes())
}

// endless is a program whose shader runs for hours.
func endless(t *testing.T) map[string]string {
	t.Helper()
	list := testkit.Must(play.Examples("examples"))(t)
	files := maps.Clone(list[0].Files)
	const begin = ".proc main\n"
	require.Contains(t, files["hill.v.pica"], begin)
	files["hill.v.pica"] = strings.Replace(files["hill.v.pica"], begin, ".consti much(255, 0, 1, 0)\n"+begin+
		strings.Repeat("\tfor much\n", 2)+strings.Repeat("\tmad r4, r4, r4, r4\n", 10)+strings.Repeat("\t.end\n", 2), 1)
	return files
}

// A program that runs too long is ended half a minute after the engine started it, also the first one; the page says so and
// continues. It is not run again on reload or Back.
func TestEndlessProgramInABrowser(t *testing.T) {
	testkit.Slow(t)
	p := newTab(t)
	host := site(t)
	link := host.URL + "/" + fragment(t, endless(t))
	p.script(`{ const later = setTimeout; setTimeout = (f, ms, ...rest) => later(f, ms === 30000 ? 10000 : ms, ...rest); }`) // waits for a third of the time
	p.do(chromedp.Navigate(link))
	const said = `document.getElementById("problem").textContent`
	p.until(`!document.getElementById("stop").hidden`)
	start := time.Now()
	p.until(said + `.includes("it took longer than 30 s and was ended")`)
	t.Logf("ended after %v", time.Since(start).Round(time.Millisecond))
	require.Equal(t, "Not drawn", p.text(`document.getElementById("count").textContent`))
	require.Equal(t, "true", p.text(`document.getElementById("view").classList.contains("old")`))
	require.Equal(t, "", p.text(`document.getElementById("busy").textContent`))

	p.enter("#example", "1")
	p.drawn()
	require.Empty(t, p.text(said))
	require.Equal(t, "No errors", p.text(`document.getElementById("count").textContent`))
	require.Equal(t, "false", p.text(`document.getElementById("view").classList.contains("old")`))
	p.text(`history.back()`)
	p.until(said + `.includes("not run by itself")`)
	require.Equal(t, "", p.text(`document.getElementById("busy").textContent`))
	p.do(chromedp.Reload())
	p.until(said + `.includes("not run by itself")`)
	require.Equal(t, "", p.text(`document.getElementById("busy").textContent`))

	// A button runs it and another stops it; a corrected text is drawn.
	p.do(chromedp.Click("#run"))
	p.until(`!document.getElementById("stop").hidden`)
	p.do(chromedp.Click("#stop"))
	p.until(said + `.includes("you stopped it")`)
	p.do(chromedp.Click("#run"))
	p.until(`!document.getElementById("stop").hidden`)
	p.do(chromedp.Click(".files button:nth-child(1)"))
	p.write(strings.Replace(endless(t)["hill.v.pica"], "much(255", "much(0", 1))
	p.drawn()
	require.Empty(t, p.text(said))

	// The site's debugger does the same.
	p.do(chromedp.Navigate(strings.Replace(link, "/#", "/debug.html#", 1)))
	p.until(`!document.getElementById("stop").hidden`)
	p.do(chromedp.Click("#stop"))
	p.until(said + `.includes("is not shown: you stopped it")`)
	p.do(chromedp.Reload())
	p.until(said + `.includes("not run by itself")`)
}
