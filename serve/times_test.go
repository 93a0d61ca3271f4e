package serve

import (
	"bytes"
	"cmp"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"pica200/pipeline/retrace"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

var times = flag.String("times", "", "recordings, with commas between, of which TestTimeToFirstPicture tells how long pictures and clicks take in a browser")

// TestTimeToFirstPicture measures, for recordings given by -times, the time to the first picture and to show a clicked draw, served and
// exported. It only logs, because figures depend on the machine.
func TestTimeToFirstPicture(t *testing.T) {
	if *times == "" {
		t.Skip("measures only, with -times FILE,...")
	}
	for path := range strings.SplitSeq(*times, ",") {
		data := testkit.Read(t, path)
		name := filepath.Base(path)
		source := sourceOf(name, data)
		url := started(t, source)
		measure(t, name+", served", url)
		trace := states.Parse(t, data)
		if last := min(trace.Frames()-1, 100); last > 0 { // a far frame takes the time of those before it
			measure(t, name+", served, frame "+strconv.Itoa(last), started(t, source)+"#frame="+strconv.Itoa(last))
		}
		var cut, page bytes.Buffer
		testkit.Must(retrace.Cut(t.Context(), trace, 0, 0, &cut, retrace.Options{}))(t)
		require.NoError(t, Export(t.Context(), &page, bundled(t, false), &Bug{Name: name, Recording: cut.Bytes()}))
		file := filepath.Join(t.TempDir(), "page.html")
		require.NoError(t, os.WriteFile(file, page.Bytes(), 0o666))
		measure(t, name+", exported ("+strconv.Itoa(page.Len())+" bytes)", "file://"+file)
	}
}

// measure opens a page and clicks draws spread evenly over the frame.
func measure(t *testing.T, what, url string) {
	p := newTab(t)
	start := time.Now()
	p.do(chromedp.Navigate(url))
	p.until(`!document.getElementById("save").hidden`)
	first := time.Since(start)
	p.idle()
	got, err := chromedp.Run(p.ctx, chromedp.Evaluate[[][2]float64](`(async () => {
		const tree = document.getElementById("tree"), out = [];
		const wait = (f) => new Promise((done) => { const look = () => f() ? done() : setTimeout(look, 1); look(); });
		const idle = () => document.getElementById("busy").textContent === "" && !document.getElementById("panel").textContent.includes("working");
		const rows = () => [...tree.querySelectorAll(".row.draw")];
		const total = tree.scrollHeight;
		for (let i = 0; i < 12; i++) {
			tree.scrollTop = total * i / 12;
			await new Promise((done) => setTimeout(done, 60)); // the rows are made when they are seen
			await wait(() => rows().length);
			const row = rows().find((r) => !r.classList.contains("chosen"));
			if (!row) continue;
			performance.clearResourceTimings();
			const n = row.querySelector(".n").textContent, begin = performance.now();
			row.click();
			await wait(() => idle() && new RegExp("draw " + n + "($|:)").test(document.getElementById("title").textContent));
			const end = performance.now(), answers = performance.getEntriesByType("resource").filter((e) => e.name.endsWith("/api?page")).map((e) => e.responseEnd);
			out.push([end - begin, answers.length ? Math.max(...answers) - begin : 0]);
		}
		return out;
	})()`, chromedp.EvalAwaitPromise))
	require.NoError(t, err)
	require.NotEmpty(t, got)
	slices.SortFunc(got, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
	median, most := got[len(got)/2], got[len(got)-1]
	t.Logf("%s: first picture %d ms; a click on a draw %.0f ms (median of %d, %.0f of them until the server's answers are there), %.0f at most",
		what, first.Milliseconds(), median[0], len(got), median[1], most[0])
}
