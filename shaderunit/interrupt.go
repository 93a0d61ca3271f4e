package shaderunit

import "errors"

// ErrInterrupted is the error of runs that Done has ended.
var ErrInterrupted = errors.New("shader: interrupted")

// stepsUnseen is the number of instructions between two checks of Done: less
// than a millisecond for a batch.
const stepsUnseen = 1 << 12

// closed reports whether a channel is closed. It is cheap, above all for nil.
func closed(done <-chan struct{}) bool {
	if done == nil {
		return false
	}
	select {
	case <-done:
		return true
	default:
		return false
	}
}
