package serve

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"pica200/pipeline/retrace"
	"pica200/serve/engine"
	"pica200/serve/internal/frames"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

var times = flag.String("times", "", "recordings, with commas between, of which TestTimes tells how long pages take, beside made ones of 4,000 draws and of 1,000 frames")

// figures tells the median and the 95th percentile.
func figures(list []float64) string {
	slices.Sort(list)
	at := func(part float64) string {
		return strconv.FormatFloat(list[int(part*float64(len(list)-1))], 'f', 1, 64)
	}
	return at(0.5) + " (95 %: " + at(0.95) + ", of " + strconv.Itoa(len(list)) + ")"
}

// TestTimes measures pages, in milliseconds as medians and 95th percentiles, at the full speed of the processor and at a sixth of it
// for the page's own thread. It only logs, because figures depend on the machine.
func TestTimes(t *testing.T) {
	if *times == "" {
		t.Skip("measures only, with -times FILE,...")
	}
	lights := states.Parse(t, testkit.Named(t, "lights")[0].Read(t))
	sources := []engine.Source{sourceOf("4,000 draws", testkit.Must(frames.ManyDraws(lights, 4000))(t)), sourceOf("1,000 frames", testkit.Must(frames.ManyFrames(lights, 1000))(t))}
	exported := map[string]string{}
	for path := range strings.SplitSeq(*times, ",") {
		data := testkit.Read(t, path)
		source := sourceOf(filepath.Base(path), data)
		sources = append(sources, source)
		var cut, page bytes.Buffer
		testkit.Must(retrace.Cut(t.Context(), states.Parse(t, data), 0, 0, &cut, retrace.Options{}))(t)
		require.NoError(t, Export(t.Context(), &page, bundled(t, false), &Bug{Name: source.Name, Recording: cut.Bytes()}))
		file := filepath.Join(t.TempDir(), "page.html")
		require.NoError(t, os.WriteFile(file, page.Bytes(), 0o666))
		exported[source.Name+", exported, "+strconv.Itoa(page.Len())+" bytes"] = "file://" + file
	}
	playground := site(t).URL + "/"
	for _, slow := range []float64{1, 6} {
		for _, s := range sources {
			t.Run(s.Name, func(t *testing.T) {
				url := started(t, s)
				measure(t, s.Name+", served", url, slow)
				if s.Name == "1,000 frames" {
					measure(t, s.Name+", served, the last frame", url+"#frame=999", slow)
				}
				comparison(t, s, slow)
			})
		}
		for what, url := range exported {
			t.Run(what, func(t *testing.T) { measure(t, what, url, slow) })
		}
		for name, begin := range browsers {
			if slow > 1 && name != "Chromium" {
				continue // only Chromium can be slowed
			}
			t.Run(name, func(t *testing.T) { keys(t, begin(t), playground, slow) })
		}
	}
}

// slowed slows the page's thread.
func (p *tab) slowed(by float64) string {
	p.t.Helper()
	if by == 1 {
		return ""
	}
	testkit.Must(chromedp.Call(p.ctx, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: by}))(p.t)
	return ", at a sixth of the speed"
}

// measure opens a page again and again, and clicks draws spread over the frame. Scripts are all scripts of the page's thread that
// run until the draw is shown.
func measure(t *testing.T, what, url string, slow float64) {
	p := newTab(t)
	defer chromedp.Cancel(p.ctx)
	what += p.slowed(slow)
	var first []float64
	for range 20 {
		p.do(chromedp.Navigate("about:blank"))
		start := time.Now()
		p.do(chromedp.Navigate(url))
		p.until(`!document.getElementById("save").hidden`)
		first = append(first, float64(time.Since(start).Microseconds())/1000)
	}
	p.idle()
	testkit.Must(chromedp.Call(p.ctx, performance.Enable, performance.EnableParams{}))(t)
	scripts := func() float64 {
		for _, m := range testkit.Must(chromedp.Call(p.ctx, performance.GetMetrics, cdp.Empty{}))(t).Metrics {
			if m.Name == "ScriptDuration" {
				return 1000 * m.Value
			}
		}
		t.Fatal("the browser does not measure scripts")
		return 0
	}
	heap := func() float64 {
		testkit.Must(chromedp.Call(p.ctx, heapprofiler.CollectGarbage, cdp.Empty{}))(t)
		u := testkit.Must(chromedp.Call(p.ctx, runtime.GetHeapUsage, cdp.Empty{}))(t)
		return (u.UsedSize + u.BackingStorageSize) / (1 << 20)
	}
	var shown, script []float64
	click := func(i int) {
		at := strconv.FormatFloat(float64(i*37%100)/100, 'f', 2, 64)
		p.text(`(() => { const tree = document.getElementById("tree"); tree.scrollTop = (tree.scrollHeight - tree.clientHeight) * ` + at + `; })()`)
		p.until(`document.querySelector("#tree .row.draw:not(.chosen)")`)
		p.idle()
		before := scripts()
		took := p.await(`(async () => {
			const rows = [...document.querySelectorAll("#tree .row.draw:not(.chosen)")], row = rows[` + strconv.Itoa(i) + ` % rows.length], n = row.querySelector(".n").textContent, begin = performance.now();
			row.click();
			const shown = () => document.getElementById("busy").textContent === "" && !document.getElementById("canvas").classList.contains("late") && new RegExp("draw " + n + "($|:)").test(document.getElementById("title").textContent);
			await new Promise((done) => {
				const o = new MutationObserver(() => { if (shown()) { o.disconnect(); done(); } });
				for (const id of ["busy", "canvas", "title"]) o.observe(document.getElementById(id), { attributes: true, childList: true });
			});
			return String(performance.now() - begin);
		})()`)
		script = append(script, scripts()-before)
		shown = append(shown, testkit.Must(strconv.ParseFloat(took, 64))(t))
	}
	for i := range 20 {
		click(i) // compiles what follows
	}
	shown, script = nil, nil
	before := heap()
	for i := range 300 {
		click(i)
	}
	t.Logf("%s: first picture %s ms; click on a draw until shown %s ms, of it scripts %s ms; heap %.1f MiB, after 300 clicks %.1f", what, figures(first), figures(shown), figures(script), before, heap())
}

// comparison compares a recording with itself, each time in a new server, which has drawn neither.
func comparison(t *testing.T, s engine.Source, slow float64) {
	var all []float64
	what := ""
	for range 5 {
		p := newTab(t)
		what = s.Name + ", compared with another" + p.slowed(slow)
		p.do(chromedp.Navigate(started(t, s, s) + "#panel=compare"))
		p.until(count("#panel input[type=file]") + " === 1")
		p.idle()
		start := time.Now()
		p.text(`[...document.querySelectorAll("#panel button")].find((b) => b.textContent === "Compare draw by draw").click()`)
		p.until(`document.querySelector("#panel [role=status]").textContent.startsWith("All ")`)
		all = append(all, float64(time.Since(start).Microseconds())/1000)
		chromedp.Cancel(p.ctx)
	}
	t.Logf("%s: %s ms", what, figures(all))
}

// keys types in long texts: from the key until its picture is painted.
func keys(t *testing.T, p *tab, url string, slow float64) {
	p.open(url)
	p.drawn()
	what := ""
	if p.fox == nil {
		what = p.slowed(slow)
	}
	p.text(`(() => {
		window.took = [];
		document.addEventListener("keydown", () => {
			const begin = performance.now(), c = new MessageChannel();
			c.port1.onmessage = () => took.push(performance.now() - begin);
			requestAnimationFrame(() => c.port2.postMessage(0));
		}, true);
	})()`)
	for _, lines := range []int{500, 2000, 5000} {
		p.write(".proc main\n" + strings.Repeat("\tmul r0, r1, r2 ; words\n", lines-3) + "\tend\n.end\n")
		p.mark("r1, r2 ; words")
		p.text(`(() => { took.length = 0; })()`)
		for i := range 100 {
			p.press(string("abcdefgh "[i%9]))
			p.until(`took.length === ` + strconv.Itoa(i+1))
		}
		var all []float64
		for one := range strings.SplitSeq(p.text(`took`), ",") {
			all = append(all, testkit.Must(strconv.ParseFloat(one, 64))(t))
		}
		t.Logf("a key in %d lines%s: %s ms", lines, what, figures(all))
	}
}
