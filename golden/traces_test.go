package golden

import "testing"

// The traces of the repository match their pictures.
func TestTraces(t *testing.T) { Run(t, "../testdata/traces", Options{}) }
