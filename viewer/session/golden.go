package session

import (
	"context"
	"errors"
	"fmt"
	"image/png"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"pica200/fragment"
	"pica200/golden"
	"pica200/internal/files"
)

// goldenFolder is the folder for new cases, next to the source.
const goldenFolder = "golden"

// SuggestCase returns a name for a new case: that of the source, with the frame
// or time if it is not the first, and with a number if such a case exists
// already.
func SuggestCase(info Info, r *Request) string {
	base := filepath.Base(info.Path)
	for _, ext := range []string{".v.pica", ".g.pica", filepath.Ext(base)} {
		if rest, ok := strings.CutSuffix(base, ext); ok && ext != "" {
			base = rest
			break
		}
	}
	base = strings.Trim(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._-", r) {
			return r
		}
		return '-'
	}, base), ".-")
	if base == "" {
		base = "case"
	}
	switch {
	case info.Frames > 1:
		base += fmt.Sprintf("-frame%d", r.Frame)
	case info.Animated && r.Time != info.Start:
		base += "-t" + strconv.FormatFloat(r.Time, 'g', 4, 64)
	}
	if len(r.Edits) > 0 || r.Orbit != (Orbit{}) {
		base += "-edited"
	}
	name := base
	for i := 2; i < 10000; i++ {
		if _, err := os.Lstat(casePath(info, name)); errors.Is(err, fs.ErrNotExist) {
			break
		}
		name = fmt.Sprintf("%s-%d", base, i)
	}
	return name
}

// casePath returns the path of a case of a source.
func casePath(info Info, name string) string {
	return filepath.Join(filepath.Dir(info.Path), goldenFolder, name+golden.Suffix)
}

// GoldenCase writes a new case for "pica200 golden" with the current picture as its
// approved image, in the folder "golden" next to the opened file. If there are edits, or
// if the file is not a scene, it first saves a scene of that name next to the file. It
// overwrites nothing, and returns ErrBlank for a picture in which every pixel is the same unless blank is set. It returns the path of the case file.
func GoldenCase(ctx context.Context, s Source, r *Request, name string, blank bool) (path string, err error) {
	if name == "" || strings.ContainsAny(name, `/\:*?"<>|`) || strings.HasPrefix(name, ".") || strings.ContainsFunc(name, unicode.IsControl) {
		return "", fmt.Errorf("%q is not a name for a case: it must be a file name without folders and must not begin with a dot", name)
	}
	info := s.Info()
	path = casePath(info, name)
	picture := strings.TrimSuffix(path, golden.Suffix) + "-color.png"
	for _, p := range []string{path, picture} {
		if _, err := os.Lstat(p); !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("%s exists already", p)
		}
	}
	source := info.Path
	if len(r.Edits) > 0 || r.Orbit != (Orbit{}) || !isScene(source) && info.Camera {
		w, ok := s.(Writer)
		if !ok {
			return "", fmt.Errorf("%s cannot be saved with its changes", info.Name)
		}
		source = filepath.Join(filepath.Dir(info.Path), name+".yaml")
		if err := w.CopyTo(ctx, r, source); err != nil {
			return "", err
		}
	}
	one := *r
	one.View, one.Screens, one.Draw, one.Alpha = fragment.ViewFinal, NoScreens, -1, true
	p, err := s.Render(ctx, &one)
	if err != nil {
		return "", err
	}
	if p.Raw == nil {
		return "", fmt.Errorf("%s has no render target to compare", info.Name)
	}
	if !blank && golden.Blank("color", p.Raw) {
		return "", ErrBlank
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return "", err
	}
	from, err := filepath.Rel(filepath.Dir(path), source)
	if err != nil {
		return "", err
	}
	at := fmt.Sprintf("t: %g", r.Time)
	if info.Frames > 0 {
		at = fmt.Sprintf("frame: %d", r.Frame)
	}
	text := fmt.Sprintf("about: Copied from the viewer.\nsource: %q\n%s\nimages:\n  - target: color\n    expected:\n      - {file: %q, from: self}\n",
		filepath.ToSlash(from), at, filepath.Base(picture))
	if err := files.Write(picture, func(w io.Writer) error { return png.Encode(w, p.Raw) }); err != nil {
		return "", err
	}
	return path, files.Write(path, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
}
