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

	maps.Copy(out, more)
	return out, nil
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
