package golden

import "testing"

// The traces of the repository match their pictures.
func TestTracesEqualTheirPictures(t *testing.T) { Run(t, "../testdata/traces", Options{}) }
