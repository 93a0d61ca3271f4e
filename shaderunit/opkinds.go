package shaderunit

// opKind identifies a kind of micro-op.
type opKind uint8

const (
	kCopy opKind = iota
	kNeg
	kFlush
	kFill
	kFillUniform
	kConst
	kLaneByLane
	kAddVV
	kSubVV
	kAddVS
	kMulVV
	kMulVS
	kMadVVV
	kMadVSV
	kMadVVS
	kMaxVV
	kMinVV
	kSgeVV
	kSltVV
	kFlr
	kRcp
	kRsq
	kEx2
	kLg2
	kMaxZero
	kClampLit
	kDot4VV
	kDot4VS
	kDot3VV
	kDot3VS
	kDphVV
	kDphVS
	kDphSV
	kGather
	kDot4G
	kDot3G
	kMova
	kCmp
	kLane
	kLaneGather
	kSetEmit
	kEmit
	kLoopCounter
)

// opKinds has the function of each micro-op, and the number of rows that it
// reads through each of its operands a, b and c.
var opKinds = [...]struct {
	run     func(m *machine, op *microOp, d *Row)
	a, b, c uint8
}{
	kCopy:        {opCopy, 1, 0, 0},
	kNeg:         {opNeg, 1, 0, 0},
	kFlush:       {opFlush, 1, 0, 0},
	kFill:        {opFill, 0, 0, 0},
	kFillUniform: {opFillUniform, 0, 0, 0},
	kConst:       {opConst, 0, 0, 0},
	kLaneByLane:  {opLaneByLane, 4, 4, 4},
	kAddVV:       {opAddVV, 1, 1, 0},
	kSubVV:       {opSubVV, 1, 1, 0},
	kAddVS:       {opAddVS, 1, 0, 0},
	kMulVV:       {opMulVV, 1, 1, 0},
	kMulVS:       {opMulVS, 1, 0, 0},
	kMadVVV:      {opMadVVV, 1, 1, 1},
	kMadVSV:      {opMadVSV, 1, 0, 1},
	kMadVVS:      {opMadVVS, 1, 1, 0},
	kMaxVV:       {opMaxVV, 1, 1, 0},
	kMinVV:       {opMinVV, 1, 1, 0},
	kSgeVV:       {opSgeVV, 1, 1, 0},
	kSltVV:       {opSltVV, 1, 1, 0},
	kFlr:         {opFlr, 1, 0, 0},
	kRcp:         {opRcp, 1, 0, 0},
	kRsq:         {opRsq, 1, 0, 0},
	kEx2:         {opEx2, 1, 0, 0},
	kLg2:         {opLg2, 1, 0, 0},
	kMaxZero:     {opMaxZero, 1, 0, 0},
	kClampLit:    {opClampLit, 1, 0, 0},
	kDot4VV:      {opDot4VV, 4, 4, 0},
	kDot4VS:      {opDot4VS, 4, 0, 0},
	kDot3VV:      {opDot3VV, 3, 3, 0},
	kDot3VS:      {opDot3VS, 3, 0, 0},
	kDphVV:       {opDphVV, 3, 4, 0},
	kDphVS:       {opDphVS, 3, 0, 0},
	kDphSV:       {opDphSV, 4, 0, 0},
	kGather:      {opGather, 0, 0, 0},
	kDot4G:       {opDot4G, 4, 0, 0},
	kDot3G:       {opDot3G, 3, 0, 0},
	kMova:        {opMova, 1, 0, 0},
	kCmp:         {opCmp, 1, 1, 0},
	kLane:        {opLane, 0, 0, 0},
	kLaneGather:  {opLaneGather, 0, 0, 0},
	kSetEmit:     {opSetEmit, 0, 0, 0},
	kEmit:        {opEmit, 0, 0, 0},
	kLoopCounter: {opLoopCounter, 0, 0, 0},
}

// reads returns the rows that the op reads.
func (op *microOp) reads() []uint8 {
	k := &opKinds[op.kind]
	r := make([]uint8, 0, 12)
	r = append(r, op.a[:k.a]...)
	r = append(r, op.b[:k.b]...)
	return append(r, op.c[:k.c]...)
}

func (op *microOp) usesA0() bool {
	return op.kind == kGather || op.kind == kLaneGather || op.kind == kDot4G || op.kind == kDot3G
}
func (op *microOp) writesA0() bool { return op.kind == kMova }
