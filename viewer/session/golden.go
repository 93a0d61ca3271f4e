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
	"pica200/internal/files"
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
	parent := filepath.Join(filepath.Dir(source), "golden")
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return "", err
	}
	dir, err := WriteFree(filepath.Join(parent, base), "/", func(string) error { return nil })
	if err != nil {
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
	err = files.Write(filepath.Join(dir, name+"-color.png"), func(w io.Writer) error { return png.Encode(w, p.Raw) })
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, name+".case.yaml")
	return path, files.Write(path, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
}
