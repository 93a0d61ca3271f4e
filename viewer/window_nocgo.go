//go:build !cgo

package viewer

import (
	"context"
	"errors"

	"pica200/viewer/session"
)

// Run says that this build has no window.
func Run(context.Context, session.Source, Options) error {
	return errors.New("this pica200 was built without cgo, which the window needs; build it with \"make viewer\" (a C compiler and the headers of OpenGL and X11), or render pictures with \"pica200 render\"")
}
