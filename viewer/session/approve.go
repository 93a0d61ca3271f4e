package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"pica200/golden"
	"pica200/internal/files"
)

// Approver is a source whose picture can be approved.
type Approver interface {
	// Approve makes the current picture the approved image of the images that the
	// request shows. One in which every pixel is the same is an ErrBlank unless blank is set.
	Approve(ctx context.Context, r *Request, blank bool) (*Approval, error)
	// TakeBack restores the files as they were before an approval. If they have
	// changed since, it returns an error and writes nothing.
	TakeBack(a *Approval) error
}

// Approval describes what an approval did.
type Approval struct {
	Path   string // file with the image or its hash
	Target string // name of the image
	Was    string // difference from the approved image before; "" if there was none
	files  []fileBefore
}

// fileBefore is a file before and after an approval; nil means that it did not exist.
type fileBefore struct {
	path     string
	was, now []byte
}

// ErrBlank is the error for the approval of a picture in which every pixel is the same.
var ErrBlank = errors.New("every pixel of the picture is the same")

// contents reads a file; nil if it does not exist.
func contents(path string) ([]byte, error) {
	data, err := files.ReadToReplace(path, files.MaxStream)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// Approve implements Approver.
func (s *caseSource) Approve(ctx context.Context, r *Request, blank bool) (*Approval, error) {
	if err := s.run(ctx); err != nil {
		return nil, err
	}
	n := min(max(r.Golden.Image, 0), len(s.c.Images)-1)
	if target := s.c.Images[n].Target; !blank && s.result.Images[n].Status != golden.Match && golden.Blank(target, s.actual[target]) {
		return nil, ErrBlank
	}
	a := &Approval{Target: s.c.Images[n].Target, Was: s.result.Images[n].Message}
	paths := []string{s.path}
	for _, p := range s.c.Images[n].Approved {
		if p.File != "" {
			paths = append(paths, s.file(p))
		}
	}
	for _, path := range paths {
		was, err := contents(path)
		if err != nil {
			return nil, err
		}
		a.files = append(a.files, fileBefore{path: path, was: was})
	}
	one := *s.c
	one.Images = one.Images[n : n+1]
	drawn := s.actual
	res := golden.RunCase(ctx, &one, golden.Options{Update: true, Renderer: golden.RendererFunc(
		func(context.Context, golden.Job) (map[string]image.Image, error) { return drawn, nil })})
	if res.Status == golden.Failed {
		return nil, errors.New(res.Error)
	}
	i := &res.Images[0]
	switch i.Status {
	case golden.Updated:
	case golden.Match:
		return nil, errors.New("it matches what is approved already")
	default:
		return nil, errors.New(i.Message)
	}
	s.result = nil  // compare again
	a.Path = s.path // the hash is in the case file
	if i.Against.File != "" {
		a.Path = s.file(i.Against)
	}
	if !slices.ContainsFunc(a.files, func(f fileBefore) bool { return f.path == a.Path }) { // the approval created it
		a.files = append(a.files, fileBefore{path: a.Path})
	}
	for k := range a.files {
		f := &a.files[k]
		var err error
		if f.now, err = contents(f.path); err != nil {
			return nil, err
		}
	}
	if i.Against.File == "" {
		return a, s.Reload()
	}
	return a, nil
}

// TakeBack implements Approver.
func (s *caseSource) TakeBack(a *Approval) error {
	changed := func(f *fileBefore, now []byte) error {
		if (now == nil) != (f.now == nil) || !bytes.Equal(now, f.now) {
			return fmt.Errorf("%s has changed since it was approved", filepath.Base(f.path))
		}
		return nil
	}
	for i := range a.files {
		now, err := contents(a.files[i].path)
		if err == nil {
			err = changed(&a.files[i], now)
		}
		if err != nil {
			return err
		}
	}
	for _, f := range a.files {
		var err error
		switch {
		case f.was == nil && f.now != nil:
			err = os.Remove(f.path)
		case !bytes.Equal(f.was, f.now):
			err = files.Change(f.path, files.MaxStream, func(now []byte) ([]byte, error) { return f.was, changed(&f, now) })
		}
		if err != nil {
			return err
		}
	}
	return s.Reload()
}
