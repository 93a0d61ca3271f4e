package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"pica200/internal/quote"
)

// rootFlags are the options for folders of files that another file refers to.
type rootFlags struct {
	Root []string `sep:"none" placeholder:"DIR" help:"Further folder, besides that of FILE, in which files may be that FILE refers to. May be repeated."`
}

// strictFlags are the options of commands that replay traces.
type strictFlags struct {
	Strict bool `help:"Of a trace: stop with an error where the console would skip an invalid draw, fetch or copy; without it that is a warning."`
}

// warn prints warnings about invalid work that was skipped.
func warn[T any](con *console, list []T) {
	for _, w := range list {
		fmt.Fprintf(con.err, "warning: %s\n", quote.Lines(fmt.Sprint(w)))
	}
}

// timeFlags limit the time of a command.
type timeFlags struct {
	Timeout time.Duration `placeholder:"TIME" help:"Stop after this time, for example 30s or 5m, with exit status 1."`
}

// limited is a command with these flags.
type limited interface {
	limit(ctx context.Context, con *console) (context.Context, context.CancelFunc)
}

// limit ends the context when the time is over. After a while it ends the
// program, if it does not react to that.
func (t timeFlags) limit(ctx context.Context, con *console) (context.Context, context.CancelFunc) {
	if t.Timeout == 0 {
		return ctx, func() {}
	}
	limited, cancel := context.WithTimeout(ctx, t.Timeout)
	con.late = fmt.Errorf("not done after %v, the time of --timeout", t.Timeout)
	context.AfterFunc(limited, func() {
		if errors.Is(limited.Err(), context.DeadlineExceeded) && con.giveUp != nil {
			con.giveUp(con.late)
		}
	})
	return limited, cancel
}
