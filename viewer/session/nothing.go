package session

import (
	"context"
	"errors"

	"pica200/explain"
	"pica200/explain/drawstate"
)

// Nothing is the source of a viewer without an open file. Its methods return
// errors.
func Nothing() Source { return nothing{} }

type nothing struct{}

var errNothing = errors.New("no file is open")

func (nothing) Info() Info                                              { return Info{Name: "no file"} }
func (nothing) Reload() error                                           { return errNothing }
func (nothing) Render(context.Context, *Request) (*Picture, error)      { return nil, errNothing }
func (nothing) Warnings() []string                                      { return nil }
func (nothing) Close()                                                  {}
func (nothing) List(context.Context, *Request) (*drawstate.List, error) { return nil, errNothing }
func (nothing) ExplainPixel(context.Context, *Picture, int, int) (*explain.History, error) {
	return nil, errNothing
}
