package shaderunit

import "errors"

// ErrInterrupted ends runs after Done was closed.
var ErrInterrupted = errors.New("shader: interrupted")

// stepsUnseen is how many instructions run between two looks at Done: a batch
// takes less than a millisecond for them.
const stepsUnseen = 1 << 12

// closed reports whether a channel is closed. It costs little while it is not,
// and next to nothing for nil.
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
