package serve

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"strings"
)

//go:embed site
var siteFiles embed.FS

// Site returns the files of the playground, for any static host: its page, the
// debugger for what it draws, the engine (built with the tag playground), and
// more, by name (package play has the examples).
func Site(e *Engine, more map[string][]byte) (map[string][]byte, error) {
	out := map[string][]byte{}
	for _, from := range []struct {
		files fs.FS
		dir   string
	}{{pageFiles, "page"}, {siteFiles, "site"}} {
		list, err := fs.ReadDir(from.files, from.dir)
		if err != nil {
			return nil, err
		}
		for _, f := range list {
			data, err := fs.ReadFile(from.files, from.dir+"/"+f.Name())
			if err != nil {
				return nil, err
			}
			name := f.Name()
			if from.dir == "page" && name == "index.html" {
				name = "debug.html"
			}
			out[name] = data
		}
	}
	worker := out["worker.js"]
	delete(out, "worker.js")
	out["engine.js"] = append(append([]byte{}, e.Exec...), worker...)
	out["engine.wasm.gz"] = e.Wasm

	// The debugger uses the engine of the site, not a server.
	debug, policy := string(out["debug.html"]), metaPolicy(string(out["index.html"]))
	for _, part := range [][2]string{
		{`<html lang="en">`, `<html lang="en" data-site>`},
		{`<meta name="color-scheme"`, policy + "\n" + `<meta name="color-scheme"`},
	} {
		if strings.Count(debug, part[0]) != 1 || policy == "" {
			return nil, fmt.Errorf("the page has not one %s", part[0])
		}
		debug = strings.Replace(debug, part[0], part[1], 1)
	}
	out["debug.html"] = []byte(debug)
	for _, name := range []string{"index.html", "debug.html"} {
		page, err := withStill(string(out[name]), noServer)
		if err != nil {
			return nil, err
		}
		out[name] = []byte(page)
	}

	maps.Copy(out, more)
	return out, nil
}

// noServer is seen in the playground until its scripts run, which browsers
// do not load from a disk.
const noServer = `<h1>pica200 playground</h1>
<p>Here shaders and scenes for the GPU of the Nintendo 3DS are written and drawn. Scripts do that, and browsers run them from a web server only,
not from a disk. In the folder of this file, run</p>
<pre>python3 -m http.server 8000 --bind 127.0.0.1</pre>
<p>and open <a href="http://127.0.0.1:8000/">http://127.0.0.1:8000/</a>. Any other static web server does, too. If this page comes from one already,
scripts are off, or the browser is too old.</p>`

// withStill adds to a page what is seen until its scripts run.
func withStill(page, text string) (string, error) {
	const place = "<!-- still -->\n"
	if strings.Count(page, place) != 1 {
		return "", fmt.Errorf("the page has not one %s", place)
	}
	return strings.Replace(page, place, "<div id=\"still\" role=\"region\" aria-label=\"About this page\">"+text+"</div>\n", 1), nil
}

// metaPolicy returns the page's Content-Security-Policy line.
func metaPolicy(page string) string {
	for line := range strings.Lines(page) {
		if strings.Contains(line, "Content-Security-Policy") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}
