package lsp

import "fmt"

// Question is a question about texts that the caller keeps itself, such as a
// web page, without a language client.
type Question struct {
	Texts map[string]string // by name; the sources may call each other's procedures
	Name  string            // name of the text that the question is about
	// What selects the answer by the protocol's name: "completion", "hover", "semanticTokens",
	// "diagnostics" or "formatting".
	What string
	// Line, from 0, and Character, in UTF-16 code units, are the position for
	// completion and hover.
	Line, Character int
	Extended        bool // as in asm.Options
}

// Ask answers a question like a Server, in the protocol's form, except that
// semantic tokens include the names of their types.
func Ask(q Question) (any, error) {
	if _, ok := q.Texts[q.Name]; !ok {
		return nil, fmt.Errorf("there is no text %q", q.Name)
	}
	s := NewServer("")
	for name, text := range q.Texts {
		if name != q.Name && q.What != "completion" {
			continue // only procedures of other sources are offered
		}
		d := &document{uri: name, extended: q.Extended}
		d.set(text)
		s.documents[name] = d
	}
	d, at := s.documents[q.Name], position{q.Line, q.Character}
	switch q.What {
	case "completion":
		return s.completion(d, at), nil
	case "hover":
		return s.hover(d, at), nil
	case "semanticTokens":
		tokens := s.semanticTokens(d).(map[string]any)
		tokens["types"] = tokenTypes
		return tokens, nil
	case "diagnostics":
		return d.diagnostics(), nil
	case "formatting":
		return s.formatting(d), nil
	}
	return nil, fmt.Errorf("unknown question %q; possible are completion, hover, semanticTokens, diagnostics and formatting", q.What)
}
