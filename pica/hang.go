package pica

import "errors"

// ErrHang is wrapped by every error that stands for a hang of the console: the
// work of a program ends there. What the console gets over is no such error;
// who replays a recording can go on behind it.
var ErrHang = errors.New("the console would hang")
