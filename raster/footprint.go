package raster

import (
	"unsafe"

	"pica200/pica"
)

// Footprint returns the size of the queue's buffers in bytes.
func (q *Queue) Footprint() int {
	n := cap(q.Vertices)*int(unsafe.Sizeof(pica.ScreenPosition{})) + cap(q.Attributes)*4 + cap(q.Triangles)*int(unsafe.Sizeof(Triangle{})) +
		cap(q.draws)*int(unsafe.Sizeof(Draw{})) + cap(q.workers)*int(unsafe.Sizeof(worker{}))
	for i := range q.bins {
		n += cap(q.bins[i].list)*4 + cap(q.bins[i].runs)*int(unsafe.Sizeof(run{}))
	}
	return n
}

// maxBins is the number of bins of the highest target, which has 1024 rows.
const maxBins = 1024 / binRows

// FootprintBound is the bound of Footprint for queues with that many vertices, triangles
// and draws. A growing buffer at most doubles, and every triangle may be in
// every bin.
func FootprintBound(vertices, triangles, draws int) int {
	return 2*(vertices*int(unsafe.Sizeof(pica.ScreenVertex{}))+triangles*int(unsafe.Sizeof(Triangle{}))+
		triangles*maxBins*4+
		draws*(int(unsafe.Sizeof(Draw{}))+maxBins*int(unsafe.Sizeof(run{})))) +
		128*int(unsafe.Sizeof(worker{}))
}

// Draws is the number of draws that are queued.
func (q *Queue) Draws() int { return len(q.draws) }
