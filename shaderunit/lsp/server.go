package lsp

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Server serves one editor. Make one with NewServer.
type Server struct {
	version     string
	out         io.Writer
	documents   map[string]*document
	utf8        bool
	initialized bool
	shutdown    bool
}

// NewServer returns a server that reports the given version as its own.
func NewServer(version string) *Server {
	return &Server{version: version, documents: map[string]*document{}}
}

// errExit makes Serve return without an error.
var errExit = errors.New("exit")

// Serve answers messages from r on w until the editor asks to exit or r ends.
// It returns an error if the stream does not contain valid messages, or ends
// without a shutdown request.
func (s *Server) Serve(r io.Reader, w io.Writer) error {
	s.out = w
	in := bufio.NewReaderSize(r, 1<<16)
	for {
		content, err := readMessage(in)
		if err == io.EOF && s.shutdown {
			return nil
		}
		if err == io.EOF {
			return fmt.Errorf("lsp: the editor disconnected without shutdown and exit")
		}
		if err != nil {
			return err
		}
		if err := s.handle(content); err == errExit {
			if !s.shutdown {
				return fmt.Errorf("lsp: exit without shutdown")
			}
			return nil
		} else if err != nil {
			return err
		}
	}
}

// handle answers one message. It returns errors of the stream; errors in the
// message are part of the answer.
func (s *Server) handle(content []byte) error {
	var m message
	if err := json.Unmarshal(content, &m); err != nil {
		return writeMessage(s.out, &message{ID: json.RawMessage("null"), Error: &rpcError{parseError, err.Error()}})
	}
	if m.Method == "exit" {
		return errExit
	}
	if m.Method == "" { // a response, although the server sends no requests
		if m.ID != nil && m.Result == nil && m.Error == nil {
			return writeMessage(s.out, &message{ID: m.ID, Error: &rpcError{invalidRequest, "a message without a method"}})
		}
		return nil
	}
	result, err := s.call(m.Method, m.Params)
	if m.ID == nil {
		var lost *rpcError
		if err != nil && !errors.As(err, &lost) {
			return err
		}
		return nil // notifications have no answer
	}
	if err != nil {
		var e *rpcError
		if !errors.As(err, &e) {
			return err
		}
		return writeMessage(s.out, &message{ID: m.ID, Error: e})
	}
	if result == nil {
		result = json.RawMessage("null")
	}
	return writeMessage(s.out, &message{ID: m.ID, Result: result})
}

// params decodes the parameters of a message.
func params[T any](raw json.RawMessage) (p T, err error) {
	if err := json.Unmarshal(raw, &p); err != nil {
		return p, &rpcError{invalidParams, err.Error()}
	}
	return p, nil
}

// about reads the parameters of a message about an open document, and answers it.
func about[P interface{ document() documentID }](s *Server, raw json.RawMessage, answer func(*document, P) (any, error)) (any, error) {
	p, err := params[P](raw)
	if err != nil {
		return nil, err
	}
	d, err := s.document(p.document())
	if err != nil {
		return nil, err
	}
	return answer(d, p)
}

// call executes a message.
func (s *Server) call(method string, raw json.RawMessage) (any, error) {
	switch {
	case method == "initialize":
		p, err := params[initializeParams](raw)
		if err != nil {
			return nil, err
		}
		s.initialized = true
		s.utf8 = slices.Contains(p.Capabilities.General.PositionEncodings, "utf-8")
		return s.capabilities(), nil
	case !s.initialized:
		return nil, &rpcError{serverNotInitialized, "initialize comes first"}
	case s.shutdown:
		return nil, &rpcError{invalidRequest, "the server was shut down"}
	case method == "shutdown":
		s.shutdown = true
		return nil, nil
	case strings.HasPrefix(method, "textDocument/did"):
		return nil, s.notice(method, raw)
	}
	return s.request(method, raw)
}

func (s *Server) capabilities() any {
	encoding := "utf-16"
	if s.utf8 {
		encoding = "utf-8"
	}
	const incremental = 2
	return map[string]any{
		"serverInfo": map[string]any{"name": "pica200", "version": s.version},
		"capabilities": map[string]any{
			"positionEncoding":           encoding,
			"textDocumentSync":           map[string]any{"openClose": true, "change": incremental},
			"hoverProvider":              true,
			"definitionProvider":         true,
			"documentHighlightProvider":  true,
			"foldingRangeProvider":       true,
			"inlayHintProvider":          true,
			"workspaceSymbolProvider":    true,
			"codeActionProvider":         map[string]any{"codeActionKinds": []string{"quickfix"}},
			"signatureHelpProvider":      map[string]any{"triggerCharacters": []string{" ", ","}},
			"semanticTokensProvider":     map[string]any{"full": true, "legend": map[string]any{"tokenTypes": tokenTypes, "tokenModifiers": tokenModifiers}},
			"referencesProvider":         true,
			"documentSymbolProvider":     true,
			"documentFormattingProvider": true,
			"renameProvider":             map[string]any{"prepareProvider": true},
			"completionProvider":         map[string]any{"triggerCharacters": []string{".", ",", " ", "["}},
		},
	}
}

// notice handles a notification about documents.
func (s *Server) notice(method string, raw json.RawMessage) error {
	switch method {
	case "textDocument/didOpen":
		p, err := params[openParams](raw)
		if err != nil {
			return err
		}
		d := newDocument(p.TextDocument.documentID, p.TextDocument.Text, s.utf8)
		s.documents[d.uri] = d
		return s.publish(d)
	case "textDocument/didChange":
		_, err := about(s, raw, func(d *document, p changeParams) (any, error) {
			for _, c := range p.ContentChanges {
				if err := d.change(c.Range, c.Text); err != nil {
					return nil, &rpcError{invalidParams, err.Error()}
				}
			}
			d.version = p.TextDocument.Version
			d.set(d.text)
			return nil, s.publish(d)
		})
		return err
	case "textDocument/didClose":
		_, err := about(s, raw, func(d *document, _ documentParams) (any, error) {
			delete(s.documents, d.uri)
			return nil, s.send("textDocument/publishDiagnostics", publishDiagnostics{URI: d.uri, Diagnostics: []diagnostic{}})
		})
		return err
	}
	return nil // didSave and others need no action
}

// request answers a request about a document.
func (s *Server) request(method string, raw json.RawMessage) (any, error) {
	at := func(answer func(*document, position) any) (any, error) {
		return about(s, raw, func(d *document, p positionParams) (any, error) { return answer(d, p.Position), nil })
	}
	whole := func(answer func(*document) any) (any, error) {
		return about(s, raw, func(d *document, _ documentParams) (any, error) { return answer(d), nil })
	}
	within := func(answer func(*document, textRange) any) (any, error) {
		return about(s, raw, func(d *document, p rangeParams) (any, error) { return answer(d, p.Range), nil })
	}
	switch method {
	case "textDocument/documentHighlight":
		return at(s.highlights)
	case "textDocument/signatureHelp":
		return at(s.signatureHelp)
	case "textDocument/foldingRange":
		return whole(s.foldingRanges)
	case "textDocument/semanticTokens/full":
		return whole(s.semanticTokens)
	case "textDocument/inlayHint":
		return within(s.inlayHints)
	case "textDocument/codeAction":
		return within(s.codeActions)
	case "workspace/symbol":
		p, err := params[queryParams](raw)
		if err != nil {
			return nil, err
		}
		return s.workspaceSymbols(p.Query), nil
	case "textDocument/hover":
		return at(s.hover)
	case "textDocument/definition":
		return at(s.definition)
	case "textDocument/prepareRename":
		return at(s.prepareRename)
	case "textDocument/completion":
		return at(s.completion)
	case "textDocument/documentSymbol":
		return whole(s.documentSymbols)
	case "textDocument/formatting":
		return whole(s.formatting)
	case "textDocument/references":
		return about(s, raw, func(d *document, p referenceParams) (any, error) { return s.references(d, p), nil })
	case "textDocument/rename":
		return about(s, raw, s.rename)
	}
	return nil, &rpcError{methodNotFound, fmt.Sprintf("no method %.80q", method)}
}

func (s *Server) document(id documentID) (*document, error) {
	if d := s.documents[id.URI]; d != nil {
		return d, nil
	}
	return nil, &rpcError{invalidParams, fmt.Sprintf("the document %.200q is not open", id.URI)}
}

// ordered returns the open documents by name, so that answers do not depend on
// map order.
func (s *Server) ordered() (list []*document) {
	for _, d := range s.documents {
		list = append(list, d)
	}
	slices.SortFunc(list, func(a, b *document) int { return strings.Compare(a.uri, b.uri) })
	return list
}

func (s *Server) publish(d *document) error {
	return s.send("textDocument/publishDiagnostics", publishDiagnostics{d.uri, d.version, d.diagnostics()})
}

// send sends a notification.
func (s *Server) send(method string, p any) error {
	raw, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return writeMessage(s.out, &message{Method: method, Params: raw})
}
