package golden

import "testing"

// Our own traces against their pictures.
func TestTraces(t *testing.T) { Run(t, "../testdata/traces", Options{}) }
