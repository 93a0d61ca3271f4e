package pica

import "errors"

// ErrHang is wrapped by every error that reports a hang of the console, which ends the program's work. Errors that the console
// survives do not wrap it; a replay can continue after them.
var ErrHang = errors.New("the console would hang")
