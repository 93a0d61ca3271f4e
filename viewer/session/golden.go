package session

import (
	"context"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"

	"pica200/fragment"
)

// GoldenCase copies what is shown as a case of "pica200 golden": a folder
// beside the file that was opened, with a case file and the picture as it is
// now, approved by itself. What was changed is saved as a scene first. It
// returns the path of the case file.
func GoldenCase(ctx context.Context, s Source, r *Request) (string, error) {
	info := s.Info()
	source := info.Path
	if len(r.Edits) > 0 || r.Orbit != (Orbit{}) || !strings.HasSuffix(source, ".yaml") && info.Camera {
		var err error
		if source, err = s.Save(ctx, r); err != nil {
			return "", err
		}
	}
	one := *r
	one.View, one.Screens, one.Draw, one.Alpha = fragment.ViewFinal, NoScreens, -1, true
	p, err := s.Render(ctx, &one)
	if err != nil {
		return "", err
	}
	base := strings.TrimSuffix(filepath.Base(source), filepath.Ext(source))
	dir, err := freeName(filepath.Join(filepath.Dir(source), "golden", base), "")
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	name := filepath.Base(dir)
	from, err := filepath.Rel(dir, source)
	if err != nil {
		return "", err
	}
	at := fmt.Sprintf("t: %g", r.Time)
	if info.Frames > 0 {
		at = fmt.Sprintf("frame: %d", r.Frame)
	}
	text := fmt.Sprintf(`about: Copied from the viewer.
source: %q
%s
images:
  - target: color
    expected:
      - {file: %s-color.png, from: self}
`, filepath.ToSlash(from), at, name)
	err = writeFile(filepath.Join(dir, name+"-color.png"), func(w io.Writer) error { return png.Encode(w, p.Raw) })
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, name+".case.yaml")
	return path, writeFile(path, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
}

// freeName is a path that does not exist yet: base-001 and so on, with ext
// behind.
func freeName(base, ext string) (string, error) {
	for i := 1; i < 10000; i++ {
		p := fmt.Sprintf("%s-%03d%s", base, i, ext)
		if _, err := os.Lstat(p); os.IsNotExist(err) {
			return p, nil
		}
	}
	return "", fmt.Errorf("%s-001%s to 9999 exist already", base, ext)
}
