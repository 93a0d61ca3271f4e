package yamldoc

import (
	"io"

	"github.com/goccy/go-yaml/scanner"
	"github.com/goccy/go-yaml/token"
)

// Limits of what goes to the parser. It takes time that grows with the square
// of the keys of a mapping in block style (it copies those that follow a key),
// and of values left out (it inserts each among all tokens); and it calls
// itself for each key. A token takes up to a kilobyte with the node made of it.
const (
	maxTokens    = 1 << 19
	maxCopied    = 1 << 25 // keys copied: a mapping may have 8192, or 1000 have 256 each
	maxInserted  = 1 << 31 // tokens moved by those that are inserted
	maxDocuments = 16      // marks of documents, of which one may have contents
)

// tokenize splits a document, and refuses one that would take the parser long.
func tokenize(src string) (list token.Tokens, bad *Error) {
	var s scanner.Scanner
	s.Init(src)
	c := costs{line: -1}
	for {
		some, err := s.Scan()
		if err == io.EOF {
			return list, nil
		}
		for _, t := range some {
			list.Add(t)
			if msg := c.add(t, len(list)); msg != "" {
				p := t.Position
				return nil, &Error{Line: p.Line, Column: p.Column, Msg: msg}
			}
		}
	}
}

// costs adds up what the parser will do.
type costs struct {
	blocks    []block // that are open, by column
	flow      []bool  // brackets that are open: whether they are of a mapping
	line      int     // of the token before
	column    int     // of the key or dash that the line of the token before begins with
	before    token.Type
	colon     bool // since the last comma of a mapping in flow style
	copied    int
	nulls     int
	documents int
}

// block is a mapping in block style: keys that begin in a column.
type block struct{ column, keys int }

// add counts a token. It returns what is too much, or "".
func (c *costs) add(t *token.Token, tokens int) string {
	if tokens > maxTokens {
		return "the document is too large: more than 524288 words and signs"
	}
	starts := t.Position.Line != c.line || c.before == token.SequenceEntryType
	if t.Position.Line != c.line && len(c.flow) == 0 {
		c.missing(t)
	}
	switch t.Type {
	case token.CommentType:
		return ""
	case token.DocumentHeaderType, token.DocumentEndType:
		if c.documents++; c.documents > maxDocuments {
			return "too many documents in the file; one is expected"
		}
	}
	c.brackets(t)
	if starts && len(c.flow) == 0 {
		c.begin(t)
	}
	c.line, c.before = t.Position.Line, t.Type
	if c.copied > maxCopied || int64(c.nulls)*int64(tokens) > maxInserted {
		return "too many keys for one document"
	}
	return ""
}

// missing counts a value that the line before did not give. One in lines of its own stands
// further in than its key, but for the dashes of a list.
func (c *costs) missing(t *token.Token) {
	column := t.Position.Column
	switch c.before {
	case token.MappingValueType:
		if column < c.column || column == c.column && t.Type != token.SequenceEntryType {
			c.nulls++
		}
	case token.SequenceEntryType:
		if column <= c.column {
			c.nulls++
		}
	}
}

// brackets follows lists and mappings in flow style, and counts what they leave out.
func (c *costs) brackets(t *token.Token) {
	switch t.Type {
	case token.SequenceStartType, token.MappingStartType:
		c.flow = append(c.flow, t.Type == token.MappingStartType)
	case token.SequenceEndType, token.MappingEndType, token.CollectEntryType:
		if c.before == token.MappingValueType || c.before == token.CollectEntryType || !c.colon {
			c.nulls++
		}
		if t.Type != token.CollectEntryType && len(c.flow) > 0 {
			c.flow = c.flow[:len(c.flow)-1]
		}
		// In a list nothing is left out without a colon.
		c.colon = len(c.flow) == 0 || !c.flow[len(c.flow)-1] || t.Type != token.CollectEntryType
	case token.MappingValueType:
		c.colon = true
	}
}

// begin counts a key or a dash that a line begins with.
func (c *costs) begin(t *token.Token) {
	c.column = t.Position.Column
	for len(c.blocks) > 0 && c.blocks[len(c.blocks)-1].column > c.column {
		c.blocks = c.blocks[:len(c.blocks)-1]
	}
	if t.Type == token.SequenceEntryType {
		return
	}
	if n := len(c.blocks); n == 0 || c.blocks[n-1].column < c.column {
		c.blocks = append(c.blocks, block{column: c.column})
	}
	b := &c.blocks[len(c.blocks)-1]
	b.keys++
	c.copied += b.keys
}
