package lsp

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
	"strings"
)

// maxMessage limits the size of a message; a source of this size is far larger
// than any program.
const maxMessage = 64 << 20

// message is a JSON-RPC 2.0 message: a request, a notification (without an ID)
// or a response.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  any             `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *rpcError) Error() string { return e.Message }

// Codes of JSON-RPC and the protocol.
const (
	parseError           = -32700
	invalidRequest       = -32600
	methodNotFound       = -32601
	invalidParams        = -32602
	serverNotInitialized = -32002
	requestFailed        = -32803
)

// readMessage reads the header and the content of a message.
func readMessage(r *bufio.Reader) ([]byte, error) {
	length := -1
	for n := 0; ; n++ {
		line, err := r.ReadSlice('\n')
		if err == bufio.ErrBufferFull || n > 100 {
			return nil, errors.New("lsp: a header without end")
		}
		if err == io.EOF && (len(line) > 0 || n > 0) {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return nil, err
		}
		text := strings.TrimRight(string(line), "\r\n")
		if text == "" {
			break
		}
		name, value, ok := strings.Cut(text, ":")
		if !ok {
			return nil, fmt.Errorf("lsp: header %.60q, expected NAME: VALUE", text)
		}
		if textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(name)) == "Content-Length" {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil || length < 0 || length > maxMessage {
				return nil, fmt.Errorf("lsp: Content-Length %.40q, expected 0 to %d", value, maxMessage)
			}
		}
	}
	if length < 0 {
		return nil, fmt.Errorf("lsp: a message without Content-Length")
	}
	// Read the content as it arrives, so that a wrong length costs no memory.
	content, err := io.ReadAll(io.LimitReader(r, int64(length)))
	if err == nil && len(content) < length {
		err = io.ErrUnexpectedEOF
	}
	return content, err
}

// writeMessage writes a message with its header in a single write.
func writeMessage(w io.Writer, m *message) error {
	m.Version = "2.0"
	content, err := json.Marshal(m)
	if err != nil {
		return err
	}
	_, err = w.Write(append(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(content)), content...))
	return err
}
