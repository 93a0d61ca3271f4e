package golden

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/imagefile"
	"pica200/tests/testkit"
)

// report runs the suite in dir and writes its report.
func report(t *testing.T, dir string, opt Options) (string, *Results) {
	t.Helper()
	opt.Out = t.TempDir()
	if opt.Renderer == nil {
		opt.Renderer = &fake{}
	}
	res, _ := RunDir(t.Context(), dir, opt)
	require.NoError(t, res.WriteReports(opt.Out))
	return opt.Out, res
}

func edit(t *testing.T, path string, change func(string) string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(change(mustReadFile(t, path))), 0o644))
}

// A case file that cannot be read fails alone; the report is still written.
func TestBrokenCaseFailsAlone(t *testing.T) {
	dir := writeSuite(t, "a-good", "b-broken-file", "c-large")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b-broken-file"+Suffix), []byte("sauce: x\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "evil\x1b[2J"+Suffix), []byte("source: x\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "x:depth"+Suffix), []byte("source: x\n"), 0o644))
	out, res := report(t, dir, Options{})
	require.Equal(t, []Status{Match, Failed, Differs, Failed, Failed}, statuses(res))
	require.Equal(t, `evil\x1b[2J`, res.Cases[3].Name, "escapes in a case name are printed as text")
	require.Contains(t, res.Cases[1].Error, `unknown key "sauce"`)
	require.False(t, res.Passed())
	require.FileExists(t, filepath.Join(out, HTMLFile))

	// A suite that cannot be run replaces the old report.
	old := testkit.Must(ReadResults(out))(t)
	actual := old.Cases[2].Images[0].Actual
	require.FileExists(t, filepath.Join(out, actual))
	require.NoError(t, os.WriteFile(filepath.Join(out, "mine-actual.png"), []byte("mine"), 0o644))
	res, err := RunDir(t.Context(), t.TempDir(), Options{Renderer: &fake{}, Out: out})
	require.ErrorContains(t, err, "holds no golden case")
	require.NoError(t, res.WriteReports(out))
	again := testkit.Must(ReadResults(out))(t)
	require.Contains(t, again.Error, "holds no golden case")
	require.False(t, again.Passed())
	require.NoFileExists(t, filepath.Join(out, actual), "a new report removes the old report's pictures")
	require.FileExists(t, filepath.Join(out, "mine-actual.png"))

	// A cancelled run returns its results and the error.
	ctx, cancel := context.WithCancel(t.Context())
	res, err = RunDir(ctx, dir, Options{Jobs: 1, Renderer: RendererFunc(func(ctx context.Context, job Job) (map[string]image.Image, error) {
		cancel()
		return nil, ctx.Err()
	})})
	require.ErrorIs(t, err, context.Canceled)
	require.Len(t, res.Cases, 5)
	require.NotEmpty(t, res.Error)
}

func TestRunOnlySelectedCases(t *testing.T) {
	dir := writeSuite(t, "shadow", "shadow-far", "lit", "deep/lit")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "lit"+Suffix), []byte("source: lit.yaml\nimages: [{target: color}, {target: depth}]\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "odd*"+Suffix), []byte("source: x\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "oddity"+Suffix), []byte("source: x\n"), 0o644))
	for _, tc := range []struct{ only, want string }{
		{"shadow", "shadow[color]"},
		{"shadow*", "shadow[color] shadow-far[color]"},
		{"*lit", "deep/lit[color] lit[color depth]"},
		{"lit:depth", "lit[depth]"},
		{"lit:depth,shadow", "lit[depth] shadow[color]"},
		{"lit:depth,lit", "lit[color depth]"},
		{"?it:color", "lit[color]"},
		{"odd*", "odd*[color]"},
		{"odd?*", "odd*[color] oddity[color]"},
		{"shade", `no case of DIR is called "shade"; the nearest name is "shadow"`},
		{"hado", `no case of DIR is called "hado"; 2 have it in their name, which "*hado*" stands for`},
		{"lit:gas", `lit has no image "gas"; its images are color, depth`},
		{"lit:colour", `no case of DIR is called "lit:colour"`},
		{"", `no case of DIR is called ""; 6 have it`},
		{"dw", `no case of DIR is called "dw"`},
	} {
		cases := testkit.Must(LoadDir(dir))(t)
		cases, err := choose(dir, cases, strings.Split(tc.only, ","))
		if err != nil {
			require.Contains(t, strings.ReplaceAll(err.Error(), dir, "DIR"), tc.want)
			continue
		}
		var got []string
		for _, c := range cases {
			got = append(got, fmt.Sprintf("%s%v", c.Name, c.targets()))
		}
		require.Equal(t, tc.want, strings.Join(got, " "), tc.only)
	}
	require.False(t, Matches(strings.Repeat("a*", 40)+"b", strings.Repeat("a", 4000)), "a pattern of many stars matches quickly")
}

// Approve copies the pictures of the report's cases and no other file.
func TestApprove(t *testing.T) {
	dir := writeSuite(t, "good", "large", "small")
	out, _ := report(t, dir, Options{})
	large := filepath.Join(dir, "large-color.png")
	before := mustReadFile(t, large)

	res := testkit.Must(Approve(t.Context(), out, dir, ApproveOptions{DryRun: true}))(t)
	require.Equal(t, [2]int{1, 1}, [2]int{res.Count(Updated), res.Count(Differs)}, "a picture of one colour is approved only when asked for")
	res = testkit.Must(Approve(t.Context(), out, dir, ApproveOptions{Blank: true, DryRun: true}))(t)
	require.Equal(t, 2, res.Count(Updated))
	require.Contains(t, res.Cases[0].Images[0].Message, "pixels differ")
	require.Equal(t, []string{"large", "small"}, []string{res.Cases[0].Name, res.Cases[1].Name})
	require.Equal(t, []string{"color"}, []string{res.Cases[1].Images[0].Target})
	require.Equal(t, before, mustReadFile(t, large), "a dry run writes nothing")

	res = testkit.Must(Approve(t.Context(), filepath.Join(out, ResultsFile), dir, ApproveOptions{Blank: true, Only: []string{"large:color"}}))(t)
	require.Len(t, res.Cases, 1)
	require.Equal(t, Updated, res.Cases[0].Status)
	require.NotEqual(t, before, mustReadFile(t, large))
	now := run(t, dir, Options{})
	require.Equal(t, []Status{Match, Match, Differs}, statuses(now))

	// Approving twice changes nothing; an image approved since the report is not replaced.
	res = testkit.Must(Approve(t.Context(), out, dir, ApproveOptions{Blank: true, Only: []string{"large"}}))(t)
	require.Equal(t, Match, res.Cases[0].Status)
	picture(t, filepath.Join(dir, "small-color.png"), solid(32, 16, color.NRGBA{1, 2, 3, 255}))
	res = testkit.Must(Approve(t.Context(), out, dir, ApproveOptions{Blank: true, Only: []string{"small"}}))(t)
	require.Contains(t, res.Cases[0].Error, "has changed since the run")
	_, err := Approve(t.Context(), out, dir, ApproveOptions{Blank: true, Only: []string{"smal"}})
	require.ErrorContains(t, err, `there is "small"`)
}

func TestHostileReportApprovesNothingElse(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(out, outside string, r *Results)
		want   string
	}{
		"the file of the approved image": {func(_, outside string, r *Results) { r.Cases[0].Images[0].Against.File = outside }, ""},
		"the case file":                  {func(_, outside string, r *Results) { r.Cases[0].File, r.Dir = outside, filepath.Dir(outside) }, ""},
		"another case":                   {func(_, _ string, r *Results) { r.Cases[0].Name = "../outside" }, "has no case of this name"},
		"an absolute picture":            {func(_, outside string, r *Results) { r.Cases[0].Images[0].Actual = outside }, "outside of the folder"},
		"a picture above":                {func(_, _ string, r *Results) { r.Cases[0].Images[0].Actual = "../outside.png" }, "outside of the folder"},
		"a link out": {func(out, outside string, r *Results) {
			if err := os.Symlink(outside, filepath.Join(out, "link.png")); err != nil {
				panic(err)
			}
			r.Cases[0].Images[0].Actual = "link.png"
		}, "leads out"},
		"another picture": {func(_, _ string, r *Results) { r.Cases[0].Images[0].Actual = r.Cases[0].Images[0].Expected }, "is not the picture that was drawn"},
		"a picture of no format": {func(out, _ string, r *Results) {
			if err := os.WriteFile(filepath.Join(out, "x.png"), []byte("no picture"), 0o644); err != nil {
				panic(err)
			}
			r.Cases[0].Images[0].Actual = "x.png"
		}, "x.png: PNG, read up to offset 0x8"},
		"no picture":      {func(_, _ string, r *Results) { r.Cases[0].Images[0].Actual = "" }, "has no picture"},
		"a case twice":    {func(_, _ string, r *Results) { r.Cases = append(r.Cases, r.Cases[0]) }, "appears twice"},
		"an image twice":  {func(_, _ string, r *Results) { r.Cases[0].Images = append(r.Cases[0].Images, r.Cases[0].Images[0]) }, "twice"},
		"another program": {func(_, _ string, r *Results) { r.Version = "\x1b[2J\n" + strings.Repeat("x", 1000) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := writeSuite(t, "large")
			out, res := report(t, dir, Options{})
			outside := filepath.Join(filepath.Dir(out), "outside.png")
			picture(t, outside, solid(2, 2, color.NRGBA{9, 9, 9, 255}))
			secret := testkit.Read(t, outside)
			tc.change(out, outside, res)
			data := testkit.Must(json.Marshal(res))(t)
			require.NoError(t, os.WriteFile(filepath.Join(out, ResultsFile), data, 0o644))
			before := testkit.Read(t, filepath.Join(dir, "large-color.png"))

			got, err := Approve(t.Context(), out, dir, ApproveOptions{Blank: true})
			said := fmt.Sprint(err)
			if got != nil && len(got.Cases) > 0 {
				said += got.Cases[0].Error
			}
			require.Contains(t, said, tc.want)
			after := testkit.Read(t, filepath.Join(dir, "large-color.png"))
			switch {
			case tc.want == "":
				require.NotEqual(t, before, after)
				require.NotContains(t, string(after), "\x1b")
			case tc.want != "twice" && tc.want != "appears twice":
				require.Equal(t, before, after)
			}
			is := testkit.Read(t, outside)
			require.Equal(t, secret, is, "files outside of the suite are not written")
			entries := testkit.Must(os.ReadDir(dir))(t)
			require.Len(t, entries, 2)
		})
	}
}

// The same change in many cases is one group, in the data and on the page.
func TestEqualChangesAreGrouped(t *testing.T) {
	var names []string
	for i := range 12 {
		names = append(names, fmt.Sprintf("hud%02d-small", i))
	}
	dir := writeSuite(t, append(names, "a-large", "b-broken", "c-broken", "d-panic", "e-new")...)
	// The same change before another background belongs to the same group.
	behind := solid(32, 16, color.NRGBA{60, 70, 80, 255})
	picture(t, filepath.Join(dir, "hud03-small-color.png"), behind)
	require.NoError(t, os.Remove(filepath.Join(dir, "e-new-color.png")))
	f := &fake{}
	out, res := report(t, dir, Options{Renderer: RendererFunc(func(ctx context.Context, job Job) (map[string]image.Image, error) {
		if strings.Contains(job.Source, "hud03") {
			m := solid(32, 16, color.NRGBA{60, 70, 80, 255})
			m.SetNRGBA(20, 9, color.NRGBA{60, 71, 80, 255})
			return map[string]image.Image{"color": m}, nil
		}
		return f.Render(ctx, job)
	})})
	was := res.Cases[0]
	var got []string
	for _, g := range res.Groups() {
		got = append(got, fmt.Sprintf("%s %d", g.Members[0].Case.Name, len(g.Members)))
	}
	res.Cases[0].Status, res.Cases[0].Images, res.Cases[0].Error = Failed, nil, "" // reports of others may have this
	alone := *res
	alone.Cases = append(slices.Clone(res.Cases[:1]), CaseResult{Name: "other", Status: Failed})
	require.Len(t, alone.Groups(), 2, "failures without an error text are separate groups")
	res.Cases[0] = was
	require.Equal(t, []string{"b-broken 2", "d-panic 1", "a-large 1", "hud00-small 12", "e-new 1"}, got)
	page := testkit.Read(t, filepath.Join(out, HTMLFile))
	require.Equal(t, 5, strings.Count(string(page), `class="grp"`), "the page has one row for each group")
	require.Contains(t, string(page), "and 11 more")
	require.Contains(t, string(page), "golden approve")
}

func TestOrphanedPictures(t *testing.T) {
	dir := writeSuite(t, "good", "gone")
	require.NoError(t, os.Remove(filepath.Join(dir, "gone"+Suffix)))
	picture(t, filepath.Join(dir, "texture.png"), solid(2, 2, color.NRGBA{}))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "good.yaml"), []byte("textures: {a: {file: texture.png}}\nmodels: {q: {shape: quad}}\ndraws: [{model: q, textures: [a]}]\n"), 0o644))
	res := run(t, dir, Options{})
	require.Equal(t, []string{filepath.Join(dir, "gone-color.png")}, res.Orphans, "a scene's texture is no orphan")
	require.True(t, res.Passed())
}

// Concurrent updates of one case file are all written.
func TestConcurrentUpdates(t *testing.T) {
	dir := writeSuite(t, "large")
	file := filepath.Join(dir, "large"+Suffix)
	text := "source: large.yaml\nimages:\n"
	for _, target := range Targets {
		text += "- {target: " + target + ", expected: [{sha256: new, from: self}]}\n"
	}
	for range 10 {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		var all sync.WaitGroup
		for _, target := range Targets {
			all.Go(func() {
				res, err := RunDir(t.Context(), dir, Options{Renderer: &fake{}, Update: true, Only: []string{"large:" + target}})
				if err != nil || res.Count(Updated) != 1 {
					t.Errorf("%s: %v, %+v", target, err, res.Cases)
				}
			})
		}
		all.Wait()
		require.NotContains(t, mustReadFile(t, file), "sha256: new")
	}
}

// A case may expect a hash instead of a picture file.
func TestExpectationsByHash(t *testing.T) {
	dir := writeSuite(t, "large")
	file := filepath.Join(dir, "large"+Suffix)
	const text = "# kept\nsource: large.yaml\nimages:\n- {target: color, expected: [{sha256: new, from: self, note: \"a: b\"}]} # and this\n- target: depth\n  expected:\n  - sha256: \"new\"\n    from: self\n"
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	run := func(opt Options) CaseResult { return run(t, dir, opt).Cases[0] }
	require.Contains(t, run(Options{}).Images[0].Message, "no approved image yet")
	require.Equal(t, Updated, run(Options{Update: true, DryRun: true}).Status)
	require.Equal(t, text, mustReadFile(t, file))
	require.Equal(t, Updated, run(Options{Update: true}).Status)
	hash := pictureHash(solid(32, 16, color.NRGBA{200, 120, 10, 255}))
	require.Equal(t, strings.NewReplacer("sha256: new", "sha256: "+hash, `sha256: "new"`, `sha256: "`+hash+`"`).Replace(text), mustReadFile(t, file), "only the hash in the file changes")
	require.Equal(t, Match, run(Options{}).Status)

	edit(t, file, func(s string) string { return strings.Replace(s, hash, strings.Repeat("0a", 32), 1) })
	r := run(Options{})
	require.Equal(t, []Status{Differs, Differs, Match}, []Status{r.Status, r.Images[0].Status, r.Images[1].Status})
	require.Contains(t, r.Images[0].Message, "sha256 "+hash+", expected 0a0a")
	out, _ := report(t, dir, Options{})
	res := testkit.Must(Approve(t.Context(), out, dir, ApproveOptions{Blank: true}))(t)
	require.Equal(t, 1, res.Count(Updated), res.Cases)
	require.Equal(t, Match, run(Options{}).Status)

	// A hash given by a YAML alias cannot be replaced; the file stays unchanged.
	alias := "source: large.yaml\nimages:\n- {target: color, expected: [{sha256: &a " + strings.Repeat("0a", 32) + ", from: self}]}\n- {target: depth, expected: [{sha256: *a, from: self}]}\n"
	require.NoError(t, os.WriteFile(file, []byte(alias), 0o644))
	r = run(Options{Update: true})
	require.Equal(t, Failed, r.Status)
	require.Contains(t, r.Images[0].Message, file+":3: the hash cannot be written here")
	require.Equal(t, alias, mustReadFile(t, file))

	parsed(t, "source: a\nimages: [{target: depth, tolerance: {delta: 256, reason: x}}]\n") // depth has 16 bits
}

func mustReadFile(t *testing.T, path string) string {
	t.Helper()
	return string(testkit.Read(t, path))
}

// The hash covers pixels, size and depth, not the encoding of the file.
func TestPictureHash(t *testing.T) {
	m := solid(4, 2, color.NRGBA{10, 20, 30, 255})
	data := testkit.Must(EncodePNG(m, "one", "two"))(t)
	back := testkit.Must(imagefile.DecodePNG(data, maxPixels))(t)
	require.Equal(t, pictureHash(m), pictureHash(back))
	// The definition of docs/GOLDEN.md: printf 'picture 1x1x8
	// \1\2\3\4' | sha256sum
	require.Equal(t, "7f9ee6785ecf2f6b24e3a16c576583990466fde473f4f37d68bcb97739c31103", pictureHash(solid(1, 1, color.NRGBA{1, 2, 3, 4})))
	high, low := image.NewGray16(image.Rect(0, 0, 1, 1)), image.NewGray16(image.Rect(0, 0, 1, 1))
	high.SetGray16(0, 0, color.Gray16{0x0102})
	low.SetGray16(0, 0, color.Gray16{0x0202})
	require.NotEqual(t, pictureHash(high), pictureHash(low), "the hash covers both bytes of a 16-bit sample")
	deep := image.NewNRGBA64(image.Rect(1, 1, 4, 3))
	text := "picture 3x2x16\n"
	for i := range deep.Pix {
		deep.Pix[i] = byte(i * 3)
	}
	for i := 3; i < len(deep.Pix); i += 4 {
		deep.Pix[i] |= 1
	}
	require.Equal(t, fmt.Sprintf("%x", sha256.Sum256(append([]byte(text), deep.Pix...))), pictureHash(deep))
	seen := map[string]bool{pictureHash(m): true}
	for _, other := range []image.Image{solid(2, 4, color.NRGBA{10, 20, 30, 255}), solid(4, 2, color.NRGBA{10, 20, 31, 255}),
		solid(4, 2, color.NRGBA{10, 20, 30, 254}), image.NewGray16(image.Rect(0, 0, 4, 2)), image.NewGray(image.Rect(0, 0, 4, 2))} {
		h := pictureHash(other)
		require.False(t, seen[h])
		seen[h] = true
	}
}

// A change is identified by the differing pixels and their differences, not by the pictures' contents.
func TestChangeIdentity(t *testing.T) {
	flat := func(w, h int, v uint8) *image.NRGBA { return solid(w, h, color.NRGBA{v, v, v, 255}) }
	with := func(m *image.NRGBA, i int, v uint8) *image.NRGBA { m.Pix[i] = v; return m }
	one := changeOf(flat(4, 3, 10), with(flat(4, 3, 10), 21, 13))
	require.Len(t, one, 32)
	require.Equal(t, one, changeOf(flat(4, 3, 50), with(flat(4, 3, 50), 21, 53)), "equal differences in another picture have the same identity")
	deep := func(m image.Image) image.Image {
		d := image.NewNRGBA64(m.Bounds())
		draw.Draw(d, d.Rect, m, image.Point{}, draw.Src)
		return d
	}
	sixteen := changeOf(deep(flat(4, 3, 10)), with(flat(4, 3, 10), 21, 13))
	require.Equal(t, sixteen, changeOf(flat(4, 3, 10), deep(with(flat(4, 3, 10), 21, 13))), "8-bit and 16-bit pictures are compared with 16 bits")
	require.Equal(t, sixteen, changeOf(deep(flat(4, 3, 10)), deep(with(flat(4, 3, 10), 21, 13))))
	seen := map[string]bool{one: true, sixteen: true}
	for what, c := range map[string][2]image.Image{
		"nothing":         {flat(4, 3, 10), flat(4, 3, 10)},
		"by more":         {flat(4, 3, 10), with(flat(4, 3, 10), 21, 14)},
		"the other way":   {with(flat(4, 3, 10), 21, 13), flat(4, 3, 10)},
		"another channel": {flat(4, 3, 10), with(flat(4, 3, 10), 22, 13)},
		"another pixel":   {flat(4, 3, 10), with(flat(4, 3, 10), 25, 13)},
		"the first":       {flat(4, 3, 10), with(flat(4, 3, 10), 1, 13)},
		"two":             {flat(4, 3, 10), with(with(flat(4, 3, 10), 21, 13), 25, 13)},
		"another size":    {flat(3, 4, 10), with(flat(3, 4, 10), 21, 13)},
		"a size":          {flat(4, 3, 10), flat(3, 4, 10)},
		"a size of other": {flat(4, 3, 11), flat(3, 4, 10)},
		"a size to other": {flat(4, 3, 10), flat(3, 4, 11)},
		"height alone":    {flat(4, 3, 10), flat(4, 4, 10)},
		"16 bits":         {deep(flat(4, 3, 10)), deep(flat(4, 3, 10))},
	} {
		name := changeOf(c[0], c[1])
		require.False(t, seen[name], what)
		seen[name] = true
	}
}

// Only the value of the hash is replaced; if that is not possible, the text stays unchanged.
func TestReplaceHashInCaseText(t *testing.T) {
	old, to := strings.Repeat("0a", 32), strings.Repeat("b1", 32)
	head := "source: large.yaml\nimages:\n"
	for _, c := range []struct{ text, want, why string }{
		{"- {target: color, expected: [{sha256: new, from: self}, {sha256: new, from: other, by: new}]}\n", "- {target: color, expected: [{sha256: new, from: self}, {sha256: TO, from: other, by: new}]}\n", ""},
		{"- {target: color, expected: [{note: \"new größe\", from: self, file: a.png}, {note: new, sha256: 'OLD', from: self}]} # new OLD\n", "- {target: color, expected: [{note: \"new größe\", from: self, file: a.png}, {note: new, sha256: 'TO', from: self}]} # new OLD\n", ""},
		{"- {target: color, expected: [{sha256: &a OLD, from: self}]}\n- {target: depth, expected: [{sha256: *a, from: self}]}\n", "", "it is not in one piece"},
		{"- target: color\n  expected:\n  - from: self\n    sha256: OLD\n", "- target: color\n  expected:\n  - from: self\n    sha256: TO\n", ""},
		{"- target: color\n  expected:\n  - from: self\n    sha256: >-\n      OLD\n", "", "it is not in one piece"},
		{"- {target: color, expected: [{sha256: OLD, from: self}]}", "- {target: color, expected: [{sha256: TO, from: self}]}", ""},
	} {
		in := strings.NewReplacer("OLD", old, "TO", to)
		src := head + in.Replace(c.text)
		k := parsed(t, src)
		last := k.Images[len(k.Images)-1].Approved
		changed, why := k.withHash([]byte(src), last[len(last)-1], to)
		if c.why == "" {
			require.Equal(t, head+in.Replace(c.want), string(changed))
			require.Empty(t, why)
		} else {
			require.Empty(t, changed)
			require.Contains(t, why, c.why, src)
		}
		if len(k.Images) > 1 { // both images have the anchor's value
			changed, why := k.withHash([]byte(src), k.Images[0].Approved[0], to)
			require.Empty(t, changed)
			require.Equal(t, "something else would change", why)
		}
		for name, other := range map[string]string{"shorter": "source: a\n", "another hash": head + "- {target: color, expected: [{sha256: " + to + ", from: self}]}\n", "broken": src + "- {\n"} {
			changed, why := k.withHash([]byte(other), last[len(last)-1], to)
			require.Empty(t, changed, "%s: %s", name, other)
			require.NotEmpty(t, why)
		}
	}
}

// The expected hash is the case's hash or that of its picture file; it is empty if there is none yet.
func TestExpectedHash(t *testing.T) {
	dir := t.TempDir()
	c := &Case{File: filepath.Join(dir, "c.case.yaml")}
	data := picture(t, filepath.Join(dir, "a.png"), solid(2, 1, color.NRGBA{1, 2, 3, 255}))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "bad.png"), data[:len(data)/2], 0o644))
	for a, want := range map[Approved]string{
		{SHA256: "0a0b"}: "0a0b", {SHA256: newHash}: "", {File: "a.png"}: pictureHash(solid(2, 1, color.NRGBA{1, 2, 3, 255})), {File: "none.png"}: "",
	} {
		got := testkit.Must(c.expects(a))(t)
		require.Equal(t, want, got, "%+v", a)
	}
	_, err := c.expects(Approved{File: "bad.png"})
	require.ErrorContains(t, err, "bad.png")
}
