package geometry

// Stats counts what happened in one draw.
type Stats struct {
	Indices     int `json:"indices"`           // vertices the draw asked for: GPUREG_NUMVERTICES, or those submitted directly
	Fetched     int `json:"fetched"`           // vertices loaded from memory
	Shaded      int `json:"shaded"`            // vertex shader invocations
	CacheHits   int `json:"cache_hits"`        // vertices taken from an earlier invocation with the same index
	Invocations int `json:"invocations"`       // geometry shader invocations
	Emitted     int `json:"emitted"`           // vertices emitted by the geometry shader
	RanOut      int `json:"ran_out,omitempty"` // geometry shader invocations without END, which left the code memory

	Primitives int `json:"primitives"` // triangles assembled
	Incomplete int `json:"incomplete"` // incomplete primitives at the end of the draw, dropped
	Culled     int `json:"culled"`     // triangles facing away, or without area in 12.4 coordinates
	Rejected   int `json:"rejected"`   // triangles outside of the view volume, or with a non-finite position
	Clipped    int `json:"clipped"`    // triangles cut at a plane
	Triangles  int `json:"triangles"`  // triangles handed to the rasterizer
}

// Add adds the counts of o.
func (s *Stats) Add(o *Stats) {
	s.Indices += o.Indices
	s.Fetched += o.Fetched
	s.Shaded += o.Shaded
	s.CacheHits += o.CacheHits
	s.Invocations += o.Invocations
	s.Emitted += o.Emitted
	s.RanOut += o.RanOut
	s.Primitives += o.Primitives
	s.Incomplete += o.Incomplete
	s.Culled += o.Culled
	s.Rejected += o.Rejected
	s.Clipped += o.Clipped
	s.Triangles += o.Triangles
}

// Compiled returns the number of shader programs that were compiled since the
// stage was made, or since Forget.
func (s *Stage) Compiled() (n uint64) {
	for i := range s.workers {
		if e := s.workers[i].engine; e != nil {
			n += e.Compiled()
		}
	}
	return n
}
