package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// rootFlags say where files may lie that another file names.
type rootFlags struct {
	Root []string `sep:"none" placeholder:"DIR" help:"Folder, besides that of FILE, for the files that it names. May be repeated."`
}

// strictFlags are those of commands that replay traces.
type strictFlags struct {
	Strict bool `help:"Of a trace: end with an error at the first thing that the console would get over with a draw, a fetch or a copy left out, instead of a warning."`
}

// warn prints what was done that no program means.
func warn[T any](con *console, list []T) {
	for _, w := range list {
		fmt.Fprintf(con.err, "warning: %v\n", w)
	}
}

// timeFlags bound the time of a command.
type timeFlags struct {
	Timeout time.Duration `placeholder:"TIME" help:"Give up after this time, 30s or 5m say, with exit status 1."`
}

// limited is a command with these flags.
type limited interface {
	limit(ctx context.Context, con *console) (context.Context, context.CancelFunc, error)
}

// limit ends the context when the time is over. What does not watch for that
// is ended with the program after a while.
func (t timeFlags) limit(ctx context.Context, con *console) (context.Context, context.CancelFunc, error) {
	if t.Timeout < 0 {
		return nil, nil, usagef("--timeout must not be negative")
	}
	if t.Timeout == 0 {
		return ctx, func() {}, nil
	}
	limited, cancel := context.WithTimeout(ctx, t.Timeout)
	con.late = fmt.Errorf("not done after %v, the time of --timeout", t.Timeout)
	context.AfterFunc(limited, func() {
		if errors.Is(limited.Err(), context.DeadlineExceeded) && con.giveUp != nil {
			con.giveUp(con.late)
		}
	})
	return limited, cancel, nil
}
