// Command pairs draws the models of a folder (glTF, OBJ) with pica200 and with three.js in a browser, and puts the pictures beside
// each other and their difference on one sheet, HTML or PNG, the most different pair first:
//
//	go run ./tests/pairs -o pairs.html FOLDER
//
// It needs npm, which fetches three.js, and Chromium. Differences are not mistakes: three.js lights in linear colours and draws
// reflections, the PICA200 does neither.
package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/base64"
	"errors"
	"flag"
	"fmt"
	"html/template"
	"image"
	"image/draw"
	"image/png"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/chromedp"
)

//go:embed page.html
var page []byte

// background is the colour around a model: 0.16, 0.18, 0.22.
var background = []byte{41, 46, 56}

func main() {
	out := flag.String("o", "pairs.html", "the sheet, HTML or PNG")
	program := flag.String("program", "bin/pica200", "the `program` that is compared")
	flag.Parse()
	err := errors.New("usage: pairs [-o SHEET] [-program PROGRAM] FOLDER")
	if flag.NArg() == 1 {
		err = run(context.Background(), flag.Arg(0), *out, *program, "tests/pairs")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "pairs:", err)
		os.Exit(1)
	}
}

// pair is a model and what both say and show of it.
type pair struct {
	Name       string
	Said       string // errors and notes
	Pictures   [3]template.URL
	Silhouette float64 // pixels that both draw, of those that one draws
	Difference float64 // mean of the channels of those that one draws, 0 to 255
}

func run(ctx context.Context, folder, out, program, home string) error {
	npm := exec.CommandContext(ctx, "npm", "ci", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund")
	npm.Dir = home
	if said, err := npm.CombinedOutput(); err != nil {
		return fmt.Errorf("npm ci in %s: %w\n%s", home, err, said)
	}
	folder, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(page) })
	mux.Handle("/three/", http.StripPrefix("/three/", http.FileServer(http.Dir(filepath.Join(home, "node_modules/three")))))
	mux.Handle("/models/", http.StripPrefix("/models/", http.FileServer(http.Dir(folder))))
	server := httptest.NewServer(mux)
	defer server.Close()
	ctx, cancel := chromedp.NewExecAllocator(ctx, chromedp.NoSandbox, chromedp.NoFirstRun, chromedp.Headless, chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.Flag("use-angle", "swiftshader"), chromedp.Flag("enable-unsafe-swiftshader", true), chromedp.WindowSize(1300, 900), chromedp.WSURLReadTimeout(time.Minute))
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Navigate(server.URL)); err != nil {
		return err
	}
	var pairs []pair
	err = filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && slices.Contains([]string{".gltf", ".glb", ".obj"}, strings.ToLower(filepath.Ext(path))) {
			name, _ := filepath.Rel(folder, path)
			p := compare(ctx, folder, filepath.ToSlash(name), program)
			fmt.Printf("%s: silhouette %.3f, difference %.1f %s\n", p.Name, p.Silhouette, p.Difference, strings.TrimSpace(p.Said))
			pairs = append(pairs, p)
		}
		return err
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.Silhouette, b.Silhouette), cmp.Compare(b.Difference, a.Difference))
	})
	var b bytes.Buffer
	if err := sheet.Execute(&b, pairs); err != nil {
		return err
	}
	data := b.Bytes()
	if strings.EqualFold(filepath.Ext(out), ".png") {
		mux.HandleFunc("/sheet", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(b.Bytes()) })
		if err := chromedp.Do(ctx, chromedp.Navigate(server.URL+"/sheet")); err != nil {
			return err
		}
		if data, err = chromedp.Run(ctx, chromedp.FullScreenshot(100)); err != nil {
			return err
		}
	}
	return os.WriteFile(out, data, 0o666)
}

var sheet = template.Must(template.New("").Parse(`<!doctype html><meta charset=utf-8><title>pairs</title>
<p>pica200, three.js, difference; by silhouette, then by mean difference</p>
{{range .}}<p>{{.Name}}: silhouette {{printf "%.3f" .Silhouette}}, difference {{printf "%.1f" .Difference}} {{.Said}}<br>{{range .Pictures}}{{if .}}<img src="{{.}}"> {{end}}{{end}}
{{end}}`))

// compare draws a model in both ways, with the camera that the page chooses.
func compare(ctx context.Context, folder, name, program string) pair {
	p := pair{Name: name}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	three, err := chromedp.Run(ctx, chromedp.Evaluate[struct {
		Camera  string
		Picture []byte
	}](fmt.Sprintf("draw(%q)", "/models/"+(&url.URL{Path: name}).EscapedPath()), chromedp.EvalAwaitPromise))
	if err != nil {
		p.Said = "three.js: " + err.Error()
		return p
	}
	dir, err := os.MkdirTemp("", "pairs")
	if err != nil {
		p.Said = err.Error()
		return p
	}
	defer os.RemoveAll(dir)
	scene, picture := filepath.Join(dir, "s.yaml"), filepath.Join(dir, "s.png")
	text := fmt.Sprintf("camera: %s\ntarget: {width: 400, height: 240, clear: {color: [0.16, 0.18, 0.22, 1], depth: 1}}\nambient: [0.22, 0.22, 0.22]\n"+
		"lights: [{direction: [0.5, 0.8, 0.9]}]\nmodels: {m: {file: %q}}\ndraws: [{model: m, write: rgb}]\n", three.Camera, filepath.Join(folder, filepath.FromSlash(name)))
	err = os.WriteFile(scene, []byte(text), 0o666)
	if err == nil {
		var said strings.Builder
		render := exec.CommandContext(ctx, program, "render", scene, "-o", picture, "--root", folder)
		render.Stderr = &said
		err = render.Run()
		p.Said = said.String()
	}
	ours, _ := os.ReadFile(picture)
	if err = cmp.Or(err, p.measure(ours, three.Picture)); err != nil {
		p.Said += err.Error()
	}
	return p
}

// measure compares two pictures, PNG, and keeps them with their difference.
func (p *pair) measure(files ...[]byte) error {
	var pics [3]*image.NRGBA
	for i := range pics {
		pics[i] = image.NewNRGBA(image.Rect(0, 0, 400, 240))
		if i == len(files) {
			break
		}
		m, err := png.Decode(bytes.NewReader(files[i]))
		if err != nil {
			return err
		}
		draw.Draw(pics[i], pics[i].Rect, m, m.Bounds().Min, draw.Src)
	}
	var one, both, sum int
	for i := 0; i < len(pics[0].Pix); i += 4 {
		a, b, out := pics[0].Pix[i:i+4], pics[1].Pix[i:i+4], pics[2].Pix[i:i+4]
		inA, inB := apart(a, background) > 15, apart(b, background) > 15
		if inA || inB {
			one++
			sum += apart(a, b)
		}
		if inA && inB {
			both++
		}
		for k := range 3 {
			out[k] = max(a[k], b[k]) - min(a[k], b[k])
		}
		out[3] = 255
	}
	p.Silhouette, p.Difference = float64(both)/float64(max(one, 1)), float64(sum)/float64(max(3*one, 1))
	for i, m := range pics {
		var b bytes.Buffer
		if err := png.Encode(&b, m); err != nil {
			return err
		}
		p.Pictures[i] = template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes()))
	}
	return nil
}

// apart is the sum of the differences of red, green and blue.
func apart(a, b []byte) (sum int) {
	for k := range 3 {
		sum += int(max(a[k], b[k]) - min(a[k], b[k]))
	}
	return sum
}
