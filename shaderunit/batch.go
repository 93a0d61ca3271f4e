package shaderunit

// Lanes is the number of vertices in a batch. It is 64 so that a set of lanes
// is one machine word.
const Lanes = 64

// Row is one register component over all lanes.
type Row [Lanes]float32

// Rows of a Batch.
const (
	rowIn      = 0
	rowOut     = 16 * 4
	rowTemp    = 32 * 4
	rowScratch = 48 * 4
	numRows    = rowScratch + numScratch
	// numScratch is the number of scratch rows: for gathered or negated operands (3
	// sources of 4 components), results that must wait (4), and the result under a
	// lane mask (1).
	numScratch = 17
)

// Batch holds the registers of up to Lanes vertices as structure of arrays. It
// is large (about 50 KB): allocate it once and reuse it. A Batch belongs to one
// goroutine at a time. The zero value is ready to use.
//
// Input registers must hold float24 numbers without subnormals and -0. Integers
// of up to 16 bits are such numbers; convert float32 attributes with ToFloat24.
type Batch struct {
	rows [numRows]Row
	a0   [2][Lanes]int32
	cmp  [2]uint64 // lanes where cmp.x and cmp.y are set
}

// In returns component comp (0 = x) of v(reg).
func (b *Batch) In(reg, comp int) *Row { return &b.rows[rowIn+(reg&15)*4+comp&3] }

// InVector returns the four components of v(reg).
func (b *Batch) InVector(reg int) *[4]Row { return (*[4]Row)(b.rows[rowIn+(reg&15)*4:]) }

// Out returns component comp of o(reg). Components that the program does not
// write have their start value, 0 or, for w, 1.
func (b *Batch) Out(reg, comp int) *Row { return &b.rows[rowOut+(reg&15)*4+comp&3] }
