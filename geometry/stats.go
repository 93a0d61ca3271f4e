package geometry

// Stats counts what happened in one draw.
type Stats struct {
	Indices     int // vertices the draw asked for: GPUREG_NUMVERTICES, or those submitted directly
	Fetched     int // vertices loaded from memory
	Shaded      int // vertex shader invocations
	CacheHits   int // vertices taken from an earlier invocation with the same index
	Invocations int // geometry shader invocations
	Emitted     int // vertices emitted by the geometry shader

	Primitives int // triangles assembled
	Incomplete int // primitives that the draw ended in the middle of, dropped
	Culled     int // triangles facing away, or without area in 12.4 coordinates
	Rejected   int // triangles outside of the view volume, or with a non-finite position
	Clipped    int // triangles cut at a plane
	Triangles  int // triangles handed to the rasterizer
}

// Add adds the counts of o.
func (s *Stats) Add(o *Stats) {
	s.Indices += o.Indices
	s.Fetched += o.Fetched
	s.Shaded += o.Shaded
	s.CacheHits += o.CacheHits
	s.Invocations += o.Invocations
	s.Emitted += o.Emitted
	s.Primitives += o.Primitives
	s.Incomplete += o.Incomplete
	s.Culled += o.Culled
	s.Rejected += o.Rejected
	s.Clipped += o.Clipped
	s.Triangles += o.Triangles
}
