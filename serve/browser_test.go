package serve

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/serve/engine"
	"pica200/tests/testkit"
)

// shared is the browser of this package's tests. The first test that needs it starts it; each test has its own tab.
var shared struct {
	once sync.Once
	ctx  context.Context
	end  []func()
	err  error
}

// addressBar are the pages that Chromium makes in advance for the list below its address bar,
// which a window without a screen has too: each start computed for three seconds.
const addressBar = "WebUIOmniboxPopup,WebUIOmniboxAimPopup"

func TestMain(m *testing.M) {
	status := m.Run()
	for i := len(shared.end) - 1; i >= 0; i-- {
		shared.end[i]()
	}
	os.Exit(status)
}

// browser returns a tab of a headless Chromium as a context for chromedp. An uncaught exception in the page fails the test, and what
// its console shows in red, unless it has one of the expected texts.
func browser(t *testing.T, expected ...string) context.Context {
	t.Helper()
	path := testkit.Chromium(t)
	shared.once.Do(func() {
		profile, err := os.MkdirTemp("", "pica200-browser")
		if err != nil {
			shared.err = err
			return
		}
		options := []chromedp.ExecAllocatorOption{
			chromedp.ExecPath(path), chromedp.UserDataDir(profile), chromedp.NoSandbox, chromedp.NoFirstRun, chromedp.Headless, chromedp.DisableGPU,
			chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
			chromedp.Flag("disable-sync", true), chromedp.Flag("disable-features", "IsolateSandboxedIframes,"+addressBar), chromedp.Flag("disable-dev-shm-usage", true), chromedp.WindowSize(1500, 900),
			chromedp.Flag("js-flags", "--liftoff-only"), // compiles WebAssembly once, in the quick way
			chromedp.WSURLReadTimeout(time.Minute),
		}
		ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
		shared.end = append(shared.end, func() { _ = os.RemoveAll(profile) }, stop)
		ctx, stop = chromedp.NewContext(ctx)
		shared.end = append(shared.end, stop)
		shared.ctx, shared.err = ctx, chromedp.Do(ctx)
	})
	require.NoError(t, shared.err)
	ctx, cancel := chromedp.NewContext(shared.ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 15*time.Minute)
	t.Cleanup(cancel)
	red := func(text string) {
		if !slices.ContainsFunc(expected, func(e string) bool { return strings.Contains(text, e) }) {
			t.Errorf("the console shows: %s", text)
		}
	}
	require.NoError(t, chromedp.Listen(ctx, func(ev any) {
		switch e := ev.(type) {
		case *runtime.EventExceptionThrown:
			thrown := e.ExceptionDetails.Text
			if x := e.ExceptionDetails.Exception; x != nil {
				thrown += " " + x.Description
			}
			t.Errorf("the page threw: %s", thrown)
		case *runtime.EventConsoleAPICalled:
			if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeAssert {
				red(e.Args[0].Value.String())
			}
		case *log.EventEntryAdded:
			if e.Entry.Level == log.EntryLevelError {
				red(e.Entry.Text + " " + e.Entry.URL)
			}
		}
	}))
	testkit.Must(chromedp.Call(ctx, log.Enable, cdp.Empty{}))(t)
	return ctx
}

// recording is one of the repository's recordings as a source for an engine.
func recording(t testing.TB, name string) engine.Source {
	return sourceOf(name+".ctf", testkit.Named(t, name)[0].Read(t))
}

// sourceOf is a recording as a source for an engine, with names for the draws of each frame.
func sourceOf(name string, data []byte, names ...[]string) engine.Source {
	return engine.Source{Name: name, Open: func(context.Context) (*picatrace.Trace, [][]string, error) {
		trace, err := picatrace.Parse(data)
		return trace, names, err
	}}
}

// started starts a server for sources and returns its address.
func started(t *testing.T, sources ...engine.Source) string {
	t.Helper()
	return startedWith(t, engine.Options{}, sources...)
}

func startedWith(t *testing.T, o engine.Options, sources ...engine.Source) string {
	t.Helper()
	l := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	s := testkit.Must(New(engine.New(o, sources...), l.Addr()))(t)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-ended)
	})
	return "http://" + l.Addr().String() + s.Path()
}

// tab is a page in the browser.
type tab struct {
	t    *testing.T
	ctx  context.Context
	only []chromedp.EvaluateOption // execution context of scripts, if not the page's
	fox  *firefox                  // in place of ctx: the page is in Firefox
}

func newTab(t *testing.T) *tab {
	t.Helper()
	return newTabExpecting(t)
}

// newTabExpecting is a tab whose console may show some texts in red.
func newTabExpecting(t *testing.T, red ...string) *tab {
	t.Helper()
	return &tab{t: t, ctx: browser(t, red...)}
}

// opened is a new tab with the page at an address.
func opened(t *testing.T, url string) *tab {
	t.Helper()
	p := newTab(t)
	p.do(chromedp.Navigate(url))
	return p
}

// frame returns the page's only iframe, for scripts.
func (p *tab) frame() *tab {
	p.t.Helper()
	tree, err := chromedp.Call(p.ctx, page.GetFrameTree, cdp.Empty{})
	require.NoError(p.t, err)
	require.Len(p.t, tree.FrameTree.ChildFrames, 1)
	world, err := chromedp.Call(p.ctx, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: tree.FrameTree.ChildFrames[0].Frame.ID})
	require.NoError(p.t, err)
	return &tab{t: p.t, ctx: p.ctx, only: []chromedp.EvaluateOption{func(e *runtime.EvaluateParams) { e.ContextID = world.ExecutionContextID }}}
}

func (p *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	require.NoError(p.t, chromedp.Do(p.ctx, steps...))
}

// script makes every document that is loaded from now on run JavaScript first.
func (p *tab) script(source string) {
	p.t.Helper()
	_, err := chromedp.Call(p.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: source})
	require.NoError(p.t, err)
}

// until waits for a JavaScript condition in the page.
func (p *tab) until(condition string) {
	p.t.Helper()
	for end := time.Now().Add(3 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
		ok, err := p.eval("String(Boolean(" + condition + "))")
		if ok == "true" {
			return
		}
		if err != nil || time.Now().After(end) {
			if file := filepath.Join(p.t.ArtifactDir(), "failed.png"); (p.fox != nil || p.ctx.Err() == nil) && writeShot(file, p.look()) == nil {
				p.t.Log("what it looked like: " + file)
			}
			p.t.Fatalf("%s never held (%v)", condition, err)
		}
	}
}

// idle waits until no request is pending.
func (p *tab) idle() {
	p.t.Helper()
	p.until(`document.getElementById("busy").textContent === ""`)
}

// eval evaluates a JavaScript expression whose value, or that of its promise, is a string.
func (p *tab) eval(js string) (string, error) {
	if p.fox != nil {
		return p.fox.eval(js)
	}
	return chromedp.Run(p.ctx, chromedp.Evaluate[string](js, append(p.only, chromedp.EvalAwaitPromise)...))
}

// text evaluates JavaScript and returns the result as text.
func (p *tab) text(js string) string {
	p.t.Helper()
	return p.await("String(" + js + ")")
}

// press presses keys at the focused element.
func (p *tab) press(keys ...string) {
	p.t.Helper()
	for _, k := range keys {
		if p.fox != nil {
			for _, key := range k {
				require.NoError(p.t, p.fox.key(key, 0))
			}
			continue
		}
		p.do(chromedp.KeyEvent(k))
	}
}

// open, click and focus are those of Chromium and Firefox.
func (p *tab) open(url string) {
	p.t.Helper()
	if p.fox != nil {
		require.NoError(p.t, p.fox.call("WebDriver:Navigate", map[string]any{"url": url}, nil))
		return
	}
	p.do(chromedp.Navigate(url))
}

func (p *tab) click(selector string) {
	p.t.Helper()
	if p.fox != nil {
		p.text("document.querySelector(" + quote(selector) + ").click()")
		return
	}
	for {
		_, err := chromedp.Run(p.ctx, chromedp.Click(selector))
		if err == nil || !strings.Contains(err.Error(), "Could not find node") { // the page has replaced it just now
			require.NoError(p.t, err)
			return
		}
	}
}

func (p *tab) focus(selector string) {
	p.t.Helper()
	p.text("document.querySelector(" + quote(selector) + ").focus()")
}

// enter sets the value of an input and sends the events of typing.
func (p *tab) enter(selector, value string) {
	p.t.Helper()
	p.text(`(() => { const e = document.querySelector(` + strconv.Quote(selector) + `); e.focus(); e.value = ` + strconv.Quote(value) +
		`; e.dispatchEvent(new Event("input", {bubbles: true})); e.dispatchEvent(new Event("change", {bubbles: true})); })()`)
}

// shownText is the shown text of the editor, which has all lines of a short one.
const shownText = `[...document.querySelectorAll(".cm-line")].map((l) => l.textContent).join("\n")`

// await evaluates a promise and returns its result as text.
func (p *tab) await(js string) string {
	p.t.Helper()
	got, err := p.eval(js)
	require.NoError(p.t, err, js)
	return got
}

// editor evaluates JavaScript with the editor's view v.
func (p *tab) editor(js string) string {
	p.t.Helper()
	return p.await(`import("./codemirror.js").then(({ cm }) => { const v = cm.EditorView.findFromDOM(document.querySelector(".cm-editor")); return String(` + js + `); })`)
}

// write replaces the shown text of the editor, as if pasted.
func (p *tab) write(text string) {
	p.t.Helper()
	p.editor(`v.dispatch({ changes: { from: 0, to: v.state.doc.length, insert: ` + quote(text) + ` }, userEvent: "input.paste" })`)
}

// mark selects the first position of words in the editor, with the caret before them.
func (p *tab) mark(words string) {
	p.t.Helper()
	p.editor(`(() => { v.focus(); const at = v.state.doc.toString().indexOf(` + quote(words) + `); v.dispatch({ selection: { anchor: at + ` + quote(words) + `.length, head: at }, scrollIntoView: true }); })()`)
}

// choose sets the value of an input and waits until no request is pending.
func (p *tab) choose(selector, value string) {
	p.t.Helper()
	p.enter(selector, value)
	p.idle()
}

// leave removes the focus, so that keys reach the page.
func (p *tab) leave() { p.text(`document.activeElement.blur()`) }

// keys presses keys that reach the page.
func (p *tab) keys(keys ...string) {
	p.t.Helper()
	p.leave()
	p.press(keys...)
}

func count(selector string) string {
	return "document.querySelectorAll(" + strconv.Quote(selector) + ").length"
}

// The debugger by keys and clicks: the tree, a draw, its state, an edit, a shader step by step, the history of a pixel.
func TestDebuggerInABrowser(t *testing.T) {
	p := newTab(t)
	url := started(t, recording(t, "lights"), recording(t, "arcs"))
	p.scheme("dark")
	p.do(chromedp.Navigate(url))
	p.until(count("#tree .row.draw") + " >= 3")
	p.until(count("#panel table") + " > 0")
	p.until(count("#timeline canvas") + " >= 2")
	p.idle()
	p.press("p")
	p.title("draw 2")
	p.keep("debugger")

	// Another font stays within the tolerance of screenshots; a missing panel does not.
	if !testkit.Updating() {
		is := cells(p.look())
		p.text(`document.body.style.fontFamily = "serif"`)
		require.Less(t, distance(is, cells(p.look())), maxDistance)
		p.text(`document.body.style.fontFamily = ""`)
		p.text(`document.getElementById("panel").hidden = true`)
		require.Greater(t, distance(is, cells(p.look())), maxDistance)
		p.text(`document.getElementById("panel").hidden = false`)
	}

	// The tree by keys, and its filter.
	p.do(chromedp.Focus("#tree"))
	p.press(kb.Home)
	p.until(`document.querySelector("#tree .chosen").dataset.row === "0"`)
	p.press(kb.End)
	p.until(`document.querySelector("#tree .chosen").classList.contains("end")`)
	for filter, found := range map[string]string{"pixels>3000 indices": "2 found", "triangles=2": "2 found", "triangles=480": "1 found", "triangles=1440": "0 found"} {
		p.choose("#filter", filter)
		require.Equal(t, found, p.text(`document.getElementById("found").textContent`), filter)
	}
	p.choose("#filter", "triangles=480 drawn>9")
	require.Equal(t, "480 triangles, 1440 indices\nshader at 00B", p.text(`document.querySelector("#tree .row.draw").title`))
	p.enter("#filter", "")
	p.keys("p", "p", "p", "n")
	p.title("draw 1")

	// Registers, and those that changed.
	p.enter("#panel input[type=search]", "culling")
	require.Contains(t, p.text(`document.querySelector("#panel .registers").textContent`), "FACECULLING_CONFIG")
	p.choose("#picture", "depth")
	p.keep("state")
	p.choose("#picture", "after")
	p.enter("#panel input[type=search]", "")
	p.keys("2")
	p.until(count("#panel .changes tr") + " > 1")
	p.idle()
	p.keep("changes")
	p.press("3")
	p.until(count("#panel .stage") + " === 6")
	p.keep("combiners")
	p.press("6")
	p.until(count("#panel tbody tr") + " > 3")
	p.idle()
	p.keep("mesh")

	// The shader, stepped by keys: after the last step the outputs have values.
	p.press("7")
	p.until(count("#panel .line.ran") + " > 3")
	p.idle()
	p.press("s", "s", "b")
	require.Regexp(t, `^1 of \d+ instructions ran$`, p.text(`document.querySelector("#panel [aria-label=Steps] [role=status]").textContent`))
	p.do(chromedp.Focus("#panel .listing"))
	p.press(kb.Home, kb.ArrowDown)
	p.down(' ')
	require.Equal(t, "line1", p.text(`document.querySelector("#panel .stops").id`))
	require.Contains(t, p.text(`document.querySelector("#panel .stops").textContent`), "breakpoint")
	p.down(' ')
	p.press(kb.Enter)
	require.Equal(t, "0", p.text(count("#panel .stops")))
	require.Contains(t, p.text(`document.querySelector("#panel .now .pc").textContent`), "001")
	p.do(chromedp.Click(`[aria-label^="To the next breakpoint"]`))
	require.Contains(t, p.text(`document.querySelector("#panel .values").textContent`), "o0")
	p.keep("shader")

	if testkit.Short() {
		return // make ci goes on
	}
	// The history of a pixel selected by keys.
	p.do(chromedp.Focus("#canvas"))
	p.press(kb.ArrowRight, kb.Enter)
	p.until(count("#panel .history details") + " > 0")
	p.idle()
	p.text(`document.querySelector("#panel .history details:last-of-type").open = true`)
	require.Contains(t, p.text(`document.querySelector("#panel .history").textContent`), "written")
	p.keep("pixel")

	// A fragment leads to its vertices, and to the shader run of one of them.
	p.do(chromedp.Click(`#panel .history details:last-of-type .bar span button`))
	p.until(count("#panel .history details:last-of-type [role=status] .link") + " > 0")
	named := p.text(`document.querySelector("#panel .history details:last-of-type [role=status] .link").textContent`)
	require.Regexp(t, `^vertex \d+$`, named)
	p.do(chromedp.Click(`#panel .history details:last-of-type [role=status] .link`))
	p.until(`document.querySelector("#tabs [aria-selected=true]").textContent === "Shader"`)
	p.until(count("#panel .line.ran") + " > 3")
	require.Equal(t, strings.TrimPrefix(named, "vertex "), p.text(`document.querySelector("#panel input[type=number]").value`))
	p.idle()

	// An edit changes the picture, and removing it restores the old one.
	const picture = `document.getElementById("canvas").toDataURL()`
	p.keys("1")
	p.until(count("#panel .registers") + " > 0")
	p.idle()
	before := p.text(picture)
	p.enter("#panel input[type=search]", "DEPTH_COLOR_MASK")
	p.do(chromedp.Click("#panel .word button"))
	p.enter("#panel .word input", "0")
	p.press(kb.Enter)
	p.until(`document.getElementById("edits").textContent.includes("1 change")`)
	p.idle()
	p.keep("edit")
	require.NotEqual(t, before, p.text(picture))
	p.do(chromedp.Click("#edits button"))
	p.until(`document.getElementById("edits").textContent === ""`)
	p.idle()
	require.Equal(t, before, p.text(picture))

	// Every focusable element has an accessible name and enough contrast.
	names := p.heard()
	require.Contains(t, names["tree"], "Lists, passes, draws, fills, transfers and copies")
	require.Contains(t, names["tab"], "Combiners")
	require.Empty(t, p.pale())

	// The light theme.
	dark := p.text(`getComputedStyle(document.body).backgroundColor`)
	p.enter("#panel input[type=search]", "")
	p.do(chromedp.Click("#theme"))
	require.NotEqual(t, dark, p.text(`getComputedStyle(document.body).backgroundColor`))
	p.keep("light")

	p.enter("#file", "1")
	p.until(`document.title.startsWith("arcs")`)
	p.until(count("#tree .row.draw") + " > 0")
	p.idle()
	require.Empty(t, p.text(`document.getElementById("problem").textContent`))
}

// A frame opens at its end with the finished screens; their pixels are pixels of a screen. A transfer and a fill show what they
// wrote. The picture selector follows the selected item.
func TestFrameEndInABrowser(t *testing.T) {
	testkit.Slow(t)
	p := opened(t, started(t, recording(t, "lights"))+"#frame=1")
	p.title("Frame 1, its end")
	require.Equal(t, "true", p.text(`document.querySelector("#tree .row.end").getAttribute("aria-selected")`))
	require.Equal(t, "screens", p.text(`document.getElementById("picture").value`))
	require.Contains(t, p.text(`document.getElementById("panel").textContent`), "pixels written")
	const bright = `(() => { const c = document.getElementById("canvas"), d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data; let n = 0; for (let i = 0; i < d.length; i += 4) n += d[i + 3] && d[i] + d[i + 1] + d[i + 2] > 60; return n; })()`
	n := testkit.Must(strconv.Atoi(p.text(bright)))(t)
	require.Greater(t, n, 1000, "the screens have bright pixels")
	require.Equal(t, "true", p.text(`document.querySelector("#picture option[value=depth]").disabled`))
	p.do(chromedp.Focus("#canvas"))
	p.press(kb.ArrowRight)
	require.Regexp(t, `chosen top 201,\d+:`, p.text(`document.getElementById("under").textContent`))
	p.press(kb.Enter)
	p.until(count("#panel .history details") + " > 0")
	require.Contains(t, p.text(`document.getElementById("panel").textContent`), "through a display transfer")
	p.keys("1")

	p.do(chromedp.Click("#tree .row.transfer"))
	p.until(`document.getElementById("title").textContent.startsWith("Frame 1, transfer 0x")`)
	p.idle()
	require.Equal(t, "after", p.text(`document.getElementById("picture").value`))
	require.Contains(t, p.text(`document.getElementById("panel").textContent`), "the picture of the top screen")
	const picture = `document.getElementById("canvas").toDataURL()`
	after := p.text(picture)
	p.choose("#picture", "before")
	require.NotEqual(t, after, p.text(picture))
	p.do(chromedp.Click("#tree .row.fill"))
	p.until(`document.getElementById("title").textContent.startsWith("Frame 1, fill 0x")`)
	p.idle()
	require.Contains(t, p.text(`document.getElementById("panel").textContent`), "buffer of pass")
	p.keys("n")
	p.until(`document.getElementById("title").textContent.endsWith("draw 0")`)
	require.Equal(t, "after", p.text(`document.getElementById("picture").value`))
	p.do(chromedp.Reload())
	p.until(`document.getElementById("title").textContent.endsWith("draw 0")`)
	p.do(chromedp.Click("#tree .row.transfer"))
	p.until(`location.hash.includes("move=")`)
	p.do(chromedp.Reload())
	p.until(`document.getElementById("title").textContent.startsWith("Frame 1, transfer 0x")`)
	p.idle()
	require.Empty(t, p.text(`document.getElementById("problem").textContent`))
}

// farFrames simulates a recording of 900 frames that are slow to reach, and records requests.
const farFrames = `(() => {
	const real = fetch, json = (v) => new Response(JSON.stringify(v), { headers: { "Content-Type": "application/json" } });
	globalThis.slow = 0;
	globalThis.asked = { frame: [], thumb: [] };
	globalThis.fetch = async (to, o) => {
		if (to !== "api?page") return real(to, o);
		const r = JSON.parse(o.body);
		if (r.op === "progress") return json({ done: 120, total: 900 });
		asked[r.op]?.push(r.frame);
		if (asked.thumb.length === 1 && r.op === "thumb") return new Response('{"code": "yielded"}', { status: 409 });
		if (r.op === "frame" && slow) await new Promise((go, no) => {
			o.signal.addEventListener("abort", () => no(o.signal.reason));
			setTimeout(go, slow);
		});
		const a = await real(to, { ...o, body: JSON.stringify({ ...r, frame: (r.frame || 0) % 2 }) });
		if (r.op !== "open") return a;
		const v = await a.json();
		v.file.frames = 900;
		return json(v);
	};
})()`

// A long recording: a frame number beyond the end is refused, every key press counts, slow requests show progress and end on Esc,
// and checkpoints are made at even distances while idle.
func TestLongRecordingsInABrowser(t *testing.T) {
	testkit.Slow(t)
	p := newTab(t)
	p.script(farFrames)
	p.do(chromedp.Navigate(started(t, recording(t, "lights"))))
	p.title("its end")
	const frame, problem = `document.getElementById("frame").value`, `document.getElementById("problem").textContent`
	p.enter("#frame", "900")
	require.Equal(t, "There is no frame 900: the recording has 900, 0 to 899.", p.text(problem))
	require.Equal(t, "0", p.text(frame))

	p.leave()
	p.text(`slow = 150`)
	for range 20 {
		p.press("]")
	}
	require.Equal(t, "20", p.text(frame))
	p.title("Frame 20, its end")
	require.Less(t, p.number(`asked.frame.length`), 20.0)
	require.Equal(t, "20", p.text(`asked.frame.at(-1)`))
	require.Empty(t, p.text(problem))

	p.text(`slow = 1e9`)
	p.enter("#frame", "899")
	p.until(`document.getElementById("far").textContent === "120 of 900 frames"`)
	p.do(chromedp.Focus("#frame"))
	p.press(kb.Escape)
	p.idle()
	require.Equal(t, "Frame 899 is not shown: you stopped it. This is frame 20.", p.text(problem))
	require.Equal(t, "20", p.text(frame))
	require.Empty(t, p.text(`document.getElementById("far").textContent`))
	p.text(`slow = 0`)
	p.until(`[15, 30, 45, 60].every((f) => asked.thumb.includes(f))`)

	// A thumbnail whose frame left the view before its request ran is requested later, with those ahead.
	p.do(chromedp.Reload())
	p.title("Frame 20, its end")
	p.until(`asked.thumb.lastIndexOf(0) > 0 && [30, 45].every((f) => asked.thumb.includes(f))`)
}
