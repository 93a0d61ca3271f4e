package yamldoc

import (
	"io"

	"github.com/goccy/go-yaml/scanner"
	"github.com/goccy/go-yaml/token"
)

// Limits of the parser's input. Its time grows with the square of the keys of a block mapping (it copies the keys after each one)
// and of missing values (it inserts each among all tokens), and it recurses for each key. A token takes up to a kilobyte with its
// node.
const (
	maxTokens    = 1 << 19
	maxCopied    = 1 << 25 // keys copied: a mapping may have 8192, or 1000 have 256 each
	maxInserted  = 1 << 31 // tokens moved by those that are inserted
	maxDocuments = 16      // document markers; one document may have contents
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

// costs estimates the work of the parser.
type costs struct {
	blocks    []block // open blocks, by column
	flow      []bool  // open brackets: whether they are of a mapping
	line      int     // of the previous token
	column    int     // of the key or dash that the line of the token before begins with
	before    token.Type
	colon     bool // since the last comma of a mapping in flow style
	copied    int
	nulls     int
	documents int
}

// block is a mapping in block style: keys that begin in a column.
type block struct{ column, keys int }

// add counts a token. It returns the limit that is exceeded, or "".
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

// missing counts a value that the previous line did not give. A value in its own lines is indented more than its key, except list
// dashes.
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

// brackets follows lists and mappings in flow style and counts their missing values.
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
		// In a list only a key with a colon can lack a value.
		c.colon = len(c.flow) == 0 || !c.flow[len(c.flow)-1] || t.Type != token.CollectEntryType
	case token.MappingValueType:
		c.colon = true
	}
}

// begin counts a key or a dash at the start of a line.
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
