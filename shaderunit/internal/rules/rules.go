// Package rules has the rules of the linter, which comments of sources name.
package rules

import "slices"

// Rule describes one rule of the linter, about code that hangs or is drawn
// wrongly on the console.
type Rule struct {
	ID     string
	Title  string
	Source string // where the rule is documented
}

// The sources that rules cite.
const (
	ruleManual = "picasso manual, PICA200 Caveats & Errata"
	ruleWiki   = "3dbrew, Shader Instruction Set"
	ruleFlow   = "3dbrew, Shader Instruction Set, Control Flow"
	ruleLimits = "GBATEK, 3DS GPU Shader Instruction Set, Overview"
	ruleSetup  = "3dbrew, GPU/Internal Registers, shader configuration"
	ruleSense  = "follows from the instruction set"
	ruleIssue  = "picasso 27, and 3dbrew, Shader Instruction Set, Control Flow"
	ruleLinter = "a limit of this linter"
	ruleBanks  = "azahar 2338, tested on a console"
)

// All are all rules.
var All = []Rule{
	{"no-end", "the program never reaches END", ruleWiki},
	{"mova-adjacent", "two MOVA in a row freeze the GPU", ruleManual},
	{"no-output", "the shader declares no output", ruleSetup},
	{"no-position", "none of the outputs is the position", ruleSetup},
	{"output-twice", "an output component is written twice, which can hang the GPU", ruleWiki},
	{"output-missing", "an output component that the rasterizer reads is not written", ruleSetup},
	{"output-bank", "a vertex of a geometry shader lacks an output that was written for the one before; outputs have two banks", ruleBanks},
	{"output-undeclared", "an output register is written that the shader does not declare", ruleSetup},
	{"read-unwritten", "a register is read that nothing wrote, and its value goes on to an output, an address or a flag", ruleSense},
	{"array-index", "an index reaches past its array", ruleSense},
	{"constant-twice", "a register gets two constant values", ruleSense},
	{"too-long", "there are more than 512 instructions", ruleLimits},
	{"too-many-descriptors", "there are more than 128 operand descriptors", ruleLimits},
	{"block-too-long", "a call or an .else part has more than 255 instructions, which the word of its instruction cannot say", ruleWiki},
	{"uniform-range", "relative addressing leaves c0-c95", ruleWiki},
	{"int-range", "an int uniform beyond i3 does not exist", ruleWiki},
	{"break-outside-loop", "BREAK outside LOOP hangs the GPU", ruleFlow},
	{"break-nested", "BREAK inside IF or CALL in a LOOP", ruleWiki},
	{"stack-overflow", "a flow stack overflows and loses its oldest entry", ruleFlow},
	{"call-pops", "four procedures end in one place; the fourth return is lost", ruleFlow},
	{"no-emit", "a geometry shader without EMIT", ruleWiki},
	{"emit-without-setemit", "EMIT without SETEMIT before it", ruleWiki},
	{"emit-in-vertex-shader", "EMIT or SETEMIT in a vertex shader", ruleWiki},
	{"two-inputs", "two different input registers in one instruction", ruleManual},
	{"block-end", "flow control at the end of a block needs a NOP after it", ruleManual},
	{"jump-to-end", "a jump to the end of a loop, an if, an .else part or a procedure leaves it on its stack", ruleIssue},
	{"unreachable", "code that never runs", ruleSense},
	{"unchecked", "there are more ways through the program than the linter follows", ruleLinter},
}

// Get returns the rule of a name, which exists.
func Get(id string) Rule {
	return All[slices.IndexFunc(All, func(r Rule) bool { return r.ID == id })]
}

// Names returns the names of all rules.
func Names() (names []string) {
	for _, r := range All {
		names = append(names, r.ID)
	}
	return names
}
