package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"pica200/explain/drawstate"
	"pica200/pipeline"
	"pica200/scene/scenebuild"
)

// OpenToMend is like Open, except that a scene, model or shader that exists but
// cannot be read gives a source that shows nothing until its files are
// repaired. Render and Unread return the error.
func OpenToMend(path string, o Options) (Source, error) {
	s, err := Open(path, o)
	if err == nil {
		return s, nil
	}
	if info, e := os.Stat(path); e != nil || !info.Mode().IsRegular() {
		return nil, err
	}
	var made *sceneSource
	switch {
	case isCase(path):
		return nil, err
	case scenebuild.IsShader(path):
		made = newShader(path)
	case isScene(path):
		made = newScene(path, o.Roots)
	case scenebuild.IsModel(path):
		made = newModel(path, o.Roots)
	default:
		return nil, err
	}
	again := made.Reload()
	if again == nil { // it was repaired meanwhile
		return made, nil
	}
	return &broken{made, again, false}, nil
}

// Unread returns the error of a source from OpenToMend that was never read
// completely; nil for all other sources.
func Unread(s Source) error {
	if b, ok := s.(*broken); ok && !b.read {
		return b.err
	}
	return nil
}

// broken is a source that could not be read when it was opened.
type broken struct {
	*sceneSource
	err  error
	read bool // it was repaired and read since
}

// Info implements Source.
func (b *broken) Info() Info {
	if b.read {
		return b.sceneSource.Info()
	}
	return Info{Name: filepath.Base(b.path), Path: b.path, Files: b.files}
}

// Reload implements Source.
func (b *broken) Reload() error {
	b.err = b.sceneSource.Reload()
	b.read = b.read || b.err == nil
	return b.err
}

// Warnings implements Source.
func (b *broken) Warnings() []string {
	if b.read {
		return b.sceneSource.Warnings()
	}
	return nil
}

// Render implements Source.
func (b *broken) Render(ctx context.Context, r *Request) (*Picture, error) {
	if !b.read {
		return nil, b.err
	}
	return b.sceneSource.Render(ctx, r)
}

// errUnread is the error of all operations but reading again.
var errUnread = errors.New("nothing is shown yet: correct the file first")

// ExplainPixel implements Source.
func (b *broken) ExplainPixel(ctx context.Context, p *Picture, x, y int) (*pipeline.Explained, error) {
	if !b.read {
		return nil, errUnread
	}
	return b.sceneSource.ExplainPixel(ctx, p, x, y)
}

// List implements Source.
func (b *broken) List(ctx context.Context, r *Request) (*drawstate.List, error) {
	if !b.read {
		return nil, errUnread
	}
	return b.sceneSource.List(ctx, r)
}

// Save implements Source.
func (b *broken) Save(ctx context.Context, r *Request) (string, error) {
	if !b.read {
		return "", errUnread
	}
	return b.sceneSource.Save(ctx, r)
}

// WriteBack implements Writer.
func (b *broken) WriteBack(ctx context.Context, r *Request) (int, error) {
	if !b.read {
		return 0, errUnread
	}
	return b.sceneSource.WriteBack(ctx, r)
}

// SaveAs implements saver.
func (b *broken) SaveAs(ctx context.Context, r *Request, path string) error {
	if !b.read {
		return errUnread
	}
	return b.sceneSource.SaveAs(ctx, r, path)
}
