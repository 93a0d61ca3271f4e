package seeds

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/frontend/dmp"
	"pica200/pica"
	"pica200/tests/testkit"
)

// bits are the bits that a step sets in a register.
type bits struct {
	reg         pica.Reg
	mask, value uint32
}

// parseBits parses "0C2s.0-3=2" for array element i.
func parseBits(t *testing.T, text string, i int) (list []bits) {
	where, value, ok := strings.Cut(text, "=")
	require.True(t, ok, text)
	place, field, _ := strings.Cut(where, ".")
	reg := testkit.Must(strconv.ParseUint(place[:3], 16, 16))(t, text)
	b := bits{reg: pica.Reg(reg), mask: 0xFFFFFFFF}
	lo, n := 0, 32
	if field != "" {
		field, counts, _ := strings.Cut(field, "+")
		from, to, isRange := strings.Cut(field, "-")
		lo = testkit.Must(strconv.Atoi(from))(t, text)
		n = 1
		if isRange {
			hi := testkit.Must(strconv.Atoi(to))(t, text)
			n = hi - lo + 1
		}
		if counts == "i" {
			lo += i
		}
		b.mask = uint32((1<<n - 1) << lo)
	}
	if value == "I" {
		b.value = uint32(i)
	} else {
		v := testkit.Must(strconv.ParseUint(value, 16, 32))(t, text)
		b.value = uint32(v) << lo
	}
	switch place[3:] {
	case "s":
		b.reg += []pica.Reg{0, 8, 0x10, 0x18, 0x30, 0x38}[i]
	case "l":
		b.reg += 0x10 * pica.Reg(i)
	case "L":
		for k := range pica.Reg(8) {
			list = append(list, bits{b.reg + 0x10*k, b.mask, b.value})
		}
		return list
	}
	return append(list, b)
}

// values parses "GL_ADD", "1,0.5,1", "true" or "#6060".
func values(t *testing.T, text string) (list []any) {
	for _, v := range strings.Split(text, ",") {
		switch {
		case v == "true" || v == "false":
			list = append(list, v == "true")
		case v[0] == '#':
			n := testkit.Must(strconv.ParseInt(v[1:], 16, 32))(t)
			list = append(list, int(n))
		case v[0] == '-' || v[0] >= '0' && v[0] <= '9':
			x := testkit.Must(strconv.ParseFloat(v, 32))(t)
			if strings.Contains(v, ".") || x < 0 {
				list = append(list, float32(x))
			} else {
				list = append(list, int(x))
			}
		default:
			list = append(list, v)
		}
	}
	return list
}

// apply sets "name=values; name=values". "every=name=values" sets all lights. Tables: "~1" is constant 1, "/" rises from 0, "\"
// falls to 0, "|" alternates 0 and 1.
func apply(t *testing.T, s *dmp.State, text string, i int) {
	for _, set := range strings.Split(text, ";") {
		set = strings.TrimSpace(set)
		if set == "" {
			continue
		}
		name, value, ok := strings.Cut(set, "=")
		require.True(t, ok, set)
		if name == "every" {
			for k := range 8 {
				apply(t, s, value, k)
			}
			continue
		}
		name = strings.ReplaceAll(name, "%d", strconv.Itoa(i))
		switch {
		case name == "depthrange":
			v := values(t, value)
			s.SetDepthRange(v[0].(float32), float32(v[1].(int)), 0)
		case strings.ContainsAny(value[:1], "~/\\|"):
			loc := testkit.Must(dmp.Locate(name))(t)
			table := make([]float32, dmp.Uniforms[loc].TableSize())
			for k := range table {
				switch x := float32(k) / float32(len(table)); value[0] {
				case '/':
					table[k] = x
				case '\\':
					table[k] = 1 - x
				case '|':
					table[k] = float32(k & 1)
				default:
					x := testkit.Must(strconv.ParseFloat(value[1:], 32))(t)
					table[k] = float32(x)
				}
			}
			require.NoError(t, s.SetTable(name, table), set)
		default:
			require.NoError(t, s.Set(name, values(t, value)...), set)
		}
	}
}

// backgrounds are states before the uniform is set: the initial one, and one with other values everywhere.
func backgrounds(t *testing.T) (list []*dmp.State) {
	for k := range 2 {
		s := dmp.New(new(pica.Regs))
		for _, u := range uniformTable {
			for i := u.first; k == 1 && u.typ != "GL_SAMPLER_1D" && i < u.first+u.n; i++ {
				value, _, _ := strings.Cut(u.steps[0], ":")
				apply(t, s, u.name+"="+value, i)
			}
		}
		list = append(list, s)
	}
	return list
}

// check sets a uniform to each of its values: the named bits change to the expected ones, all other bits of all registers stay.
func (u *uniform) check(t *testing.T, i int) {
	name := strings.ReplaceAll(u.name, "%d", strconv.Itoa(i))
	loc := testkit.Must(dmp.Locate(name))(t)
	require.Equal(t, dmp.Location(u.id+i-u.first), loc)
	require.Equal(t, u.typ, dmp.Uniforms[loc].Type.String())
	if u.typ == "GL_SAMPLER_1D" {
		u.checkTable(t, name, i)
		return
	}
	for _, s := range backgrounds(t) {
		apply(t, s, u.with, i)
		for _, step := range u.steps {
			value, text, _ := strings.Cut(step, ": ")
			before := *s.Regs
			require.NoError(t, s.Set(name, values(t, value)...))
			want := before
			for _, field := range strings.Fields(text) {
				for _, b := range parseBits(t, field, i) {
					want[b.reg] = want[b.reg]&^b.mask | b.value
				}
			}
			for reg := range want {
				if want[reg] != s.Regs[reg] {
					t.Fatalf("%s = %s: register 0x%03X is %08X, want %08X", name, value, reg, s.Regs[reg], want[reg])
				}
			}
		}
	}
}

// checkTable gives a sampler a table that rises from 0 and checks the words sent: "1C5=800+i 1C8 128: 0087FF" is 0x800 with i in
// the index register, and word 128 written to the data register.
func (u *uniform) checkTable(t *testing.T, name string, i int) {
	var index, data, entry, word uint64
	step := strings.Replace(u.steps[0], "+i", "", 1)
	testkit.Must(fmt.Sscanf(step, "%x=%x %x %d: %x", new(uint64), &index, &data, &entry, &word))(t)
	reg := testkit.Must(strconv.ParseUint(step[:3], 16, 16))(t)
	if strings.Contains(u.steps[0], "+i") {
		index += uint64(i) << 8
	}
	s := dmp.New(new(pica.Regs))
	testkit.Must(s.Flush())(t)
	apply(t, s, u.with, i)
	for _, other := range uniformTable { // samplers that are sent together all need a table
		same := strings.HasPrefix(u.name, "dmp_Texture[3].ptSampler") && u.id >= 0x1A && other.id >= 0x1A && other.id <= 0x1D
		if same = same || strings.HasPrefix(u.name, "dmp_Gas") && other.id >= 0x2F && other.id <= 0x31; same {
			apply(t, s, other.name+"=~0", 0)
		}
	}
	before := *s.Regs
	apply(t, s, name+"=/", i)
	require.Equal(t, before, *s.Regs, "a table writes no register")
	ws := testkit.Must(s.Flush())(t)
	found, at := false, -1<<20
	for _, w := range ws {
		switch {
		case w.Reg == pica.Reg(reg):
			if at = -1 << 20; w.Value == uint32(index) {
				at, found = 0, true
			}
		case w.Reg == pica.Reg(data):
			if at == int(entry) {
				require.Equal(t, fmt.Sprintf("%08X", word), fmt.Sprintf("%08X", w.Value), "%s, entry %d", name, entry)
			}
			at++
		case w.Reg >= 0x1C5 && w.Reg <= 0x1CF, w.Reg >= 0xAF && w.Reg <= 0xB7, w.Reg >= 0xE6 && w.Reg <= 0xEF, w.Reg >= 0x123 && w.Reg <= 0x124:
			t.Errorf("%s writes register 0x%03X", name, uint16(w.Reg))
		}
	}
	require.True(t, found, "%s is sent", name)
}

// reasons returns why a uniform's registers differ from the page's, from the last column of frontend/dmp/testdata/uniforms.tsv.
func reasons() map[int]string {
	data, err := os.ReadFile(filepath.Join("..", "..", "frontend", "dmp", "testdata", "uniforms.tsv"))
	if err != nil {
		panic(err)
	}
	list := map[int]string{}
	for _, line := range strings.Split(string(data), "\n") {
		if c := strings.Split(line, "\t"); len(c) == 6 && !strings.HasPrefix(line, "#") && c[5] != "" {
			id, err := strconv.ParseInt(c[0], 0, 32)
			if err != nil {
				panic(err)
			}
			reason := strings.Replace(c[5], open, openWords, 1)
			reason = strings.Replace(reason, "the register page", "3dbrew's GPU/Internal Registers", 1)
			var registers []string
			for _, field := range strings.Split(c[4], ", ") {
				if reg, _, _ := strings.Cut(field, " "); !slices.Contains(registers, reg) {
					registers = append(registers, reg)
				}
			}
			if more := len(registers) - 4; more > 0 {
				registers = append(registers[:4], fmt.Sprintf("%d more", more))
			}
			list[int(id)] = reason + ". Here: " + strings.Join(registers, ", ")
		}
	}
	return list
}

const open, openWords = "open in the page", "a question mark in place of the register"

// uniformRows returns a row for each uniform.
func uniformRows() (list []row) {
	why := reasons()
	for k := range uniformTable {
		u := &uniformTable[k]
		for i := u.first; i < u.first+u.n; i++ {
			r := row{key: fmt.Sprintf("uniform 0x%X", u.id+i-u.first), says: u.typ + " " + strings.ReplaceAll(u.name, "%d", strconv.Itoa(i)), check: func(t *testing.T) { u.check(t, i); u.see(t, i) }}
			if reason := why[u.id+i-u.first]; strings.HasPrefix(reason, openWords) {
				r.how, r.why = ours, reason
			} else if reason != "" {
				r.how, r.why = otherwise, reason
			}
			list = append(list, r)
		}
	}
	return list
}
