package texture

import (
	"encoding/binary"

	"pica200/internal/stdsort"
)

// The Huffman packer writes what tex3ds writes: codes by weight with equal
// weights in the order of std::sort, and a tree whose nodes lead to their pairs
// of children by at most six bits.

// huffmanNode is a node of the tree; leaves have no children.
type huffmanNode struct {
	child  [2]*huffmanNode
	weight int
	leaves int
	// value is the byte of a leaf. Of other nodes, it is how many pairs lie between
	// the node's own and that of its children.
	value uint8
	code  uint64
	bits  int
}

func (n *huffmanNode) inner() bool { return n.child[0] != nil }

func newHuffmanNode(a, b *huffmanNode) *huffmanNode {
	return &huffmanNode{child: [2]*huffmanNode{a, b}, weight: a.weight + b.weight, leaves: a.leaves + b.leaves}
}

func huffmanTree(data []byte) (root *huffmanNode, leaves [256]*huffmanNode) {
	var count [256]int
	for _, b := range data {
		count[b]++
	}
	var nodes []*huffmanNode
	for b, n := range count {
		if n > 0 {
			leaves[b] = &huffmanNode{weight: n, leaves: 1, value: uint8(b)}
			nodes = append(nodes, leaves[b])
		}
	}
	if len(nodes) == 0 {
		nodes = append(nodes, &huffmanNode{leaves: 1})
	}
	for len(nodes) > 1 {
		stdsort.Sort(nodes, func(a, b **huffmanNode) bool {
			if (*a).weight != (*b).weight {
				return (*a).weight < (*b).weight
			}
			return (*a).value < (*b).value
		})
		last := len(nodes) - 1
		nodes[0] = newHuffmanNode(nodes[0], nodes[1])
		nodes[1] = nodes[last]
		nodes = nodes[:last]
	}
	if root = nodes[0]; !root.inner() {
		leaves[0] = &huffmanNode{leaves: 1} // zero if that is the only byte, as in tex3ds
		root = newHuffmanNode(root, leaves[0])
	}
	root.codes(0, 0)
	return root, leaves
}

// codes gives the leaves below a node their codes.
func (n *huffmanNode) codes(code uint64, bits int) {
	n.code, n.bits = code, bits
	if n.inner() {
		n.child[0].codes(code<<1, bits+1)
		n.child[1].codes(code<<1|1, bits+1)
	}
}

// lay lays the children of a node and what is below them from slot at on.
func (n *huffmanNode) lay(slots []*huffmanNode, at int) {
	if n.leaves <= 64 {
		queue := []*huffmanNode{n.child[0], n.child[1]}
		for len(queue) > 0 {
			n, queue = queue[0], queue[1:]
			slots[at] = n
			at++
			if n.inner() {
				n.value = uint8(len(queue) / 2)
				queue = append(queue, n.child[0], n.child[1])
			}
		}
		return
	}
	// Breadth first, a node would lead too far: the smaller side comes first, whole.
	slots[at], slots[at+1] = n.child[0], n.child[1]
	small, large := n.child[0], n.child[1]
	if large.leaves < small.leaves {
		small, large = large, small
	}
	if small.inner() {
		small.value = 0
		small.lay(slots, at+2)
	}
	if large.inner() {
		large.value = uint8(small.leaves - 1)
		large.lay(slots, at+2*small.leaves)
	}
}

// shorten moves pairs forward to which a node cannot lead by six bits.
func shorten(slots []*huffmanNode) {
	const most = 63
	for i := 1; i < len(slots); i++ {
		if !slots[i].inner() || slots[i].value <= most {
			continue
		}
		by := int(slots[i].value) - most
		if i&1 == 1 && slots[i-1].value == most { // moving would take the left one's pair too far
			i, by = i-1, 1
		}
		end := i/2 + 1 + int(slots[i].value) // the pair that moves, and where to
		begin := end - by
		pair := [2]*huffmanNode{slots[2*end], slots[2*end+1]}
		copy(slots[2*begin+2:2*end+2], slots[2*begin:2*end])
		slots[2*begin], slots[2*begin+1] = pair[0], pair[1]
		slots[i].value -= uint8(by)
		for k := i + 1; k < 2*begin; k++ {
			if to := k/2 + 1 + int(slots[k].value); slots[k].inner() && to >= begin && to < end {
				slots[k].value++
			}
		}
		for _, n := range slots[2*begin : 2*begin+2] {
			if n.inner() {
				n.value += uint8(by)
			}
		}
		for k := 2*begin + 2; k < 2*end+2; k++ {
			if slots[k].inner() && k/2+1+int(slots[k].value) > end {
				slots[k].value--
			}
		}
	}
}

func packHuffman(out, data []byte) []byte {
	root, leaves := huffmanTree(data)
	slots := make([]*huffmanNode, 2*root.leaves) // slot 0 is the size
	slots[1] = root
	root.lay(slots, 2)
	shorten(slots)
	out = append(out, uint8(root.leaves-1))
	for _, n := range slots[1:] {
		v := n.value
		if n.inner() {
			for i, c := range n.child {
				if !c.inner() {
					v |= 0x80 >> i
				}
			}
		}
		out = append(out, v)
	}
	word, left := uint32(0), 32
	for _, b := range data {
		leaf := leaves[b]
		for i := leaf.bits - 1; i >= 0; i-- {
			left--
			word |= uint32(leaf.code>>i&1) << left
			if left == 0 {
				out = binary.LittleEndian.AppendUint32(out, word)
				word, left = 0, 32
			}
		}
	}
	if left < 32 {
		out = binary.LittleEndian.AppendUint32(out, word)
	}
	return out
}
