package engine

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
)

// Request is a request. Op is the name of a row of Ops, which says which other
// fields it uses.
type Request struct {
	Op         string `json:"op"`
	File       int    `json:"file"`           // number of the file, from 0
	Frame      int    `json:"frame"`          // from 0
	Draw       int    `json:"draw"`           // in the frame, from 0; -1 for the end of the frame
	Move       *int   `json:"move,omitempty"` // fill, transfer or copy of the frame, from 0
	What       string `json:"what"`           // which picture, unit, ...
	X          int    `json:"x"`              // pixels from the top left
	Y          int    `json:"y"`
	Unit       int    `json:"unit"` // texture unit
	Face       int    `json:"face"`
	Level      int    `json:"level"`
	Vertex     int    `json:"vertex"`
	From       int    `json:"from"` // of a list
	Count      int    `json:"count"`
	Filter     string `json:"filter,omitempty"` // of a list, and the number that it is sorted by
	Order      string `json:"order,omitempty"`
	Edits      []Edit `json:"edits"`      // of the state of draws, for what it says so
	Background bool   `json:"background"` // may be ended for another request (code "yielded")

	Other *DrawRef `json:"other,omitempty"` // the position to compare with
	Data  []byte   `json:"data,omitempty"`  // a file, in base64

	Files map[string]string `json:"files,omitempty"` // texts of a scene, by name
	Name  string            `json:"name,omitempty"`  // of one of them
	Time  *float64          `json:"time,omitempty"`  // that it is drawn at, in seconds; null for its own
}

// Answer is the result of a request: a value for JSON, followed by bytes for
// pictures or numbers.
type Answer struct {
	Value any
	Data  []byte
}

// Picture is the value of an answer whose bytes are a picture: rows from the
// top, pixels from the left, without gaps.
type Picture struct {
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Format string `json:"format"` // rgba8: 4 bytes a pixel; u32: a number; u8: a byte
	Max    uint32 `json:"max"`    // greatest value of a channel
	Name   string `json:"name"`
	Top    number `json:"top,omitempty"` // the number that Max stands for, if not itself: the greatest density of gas

	Parts []pictureArea `json:"parts,omitempty"` // of a combined picture
}

// pictureArea is a picture within a picture.
type pictureArea struct {
	Name   string `json:"name"`
	X      int    `json:"x"`
	Y      int    `json:"y"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
}

// Op is a kind of request.
type op struct {
	Name    string
	args    string // the fields of a Request that it uses
	doc     string
	answers string

	run func(e *Engine, ctx context.Context, r *Request) (*Answer, error)
	own bool // never answered by Source.Remote
}

var opByName = map[string]*op{}

func init() {
	for i := range ops {
		opByName[ops[i].Name] = &ops[i]
	}
}

// MaxRequest bounds the size of a request.
const MaxRequest = 1 << 20

// ParseRequest parses a request. Unknown fields are an error.
func ParseRequest(data []byte) (*Request, error) {
	if len(data) > MaxRequest {
		return nil, badf("a request has at most %d bytes", MaxRequest)
	}
	r := &Request{Draw: -1, Count: 256}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	err := dec.Decode(r)
	if err == nil {
		if _, more := dec.Token(); more != io.EOF {
			err = errors.New("something follows it")
		}
	}
	if err != nil {
		return nil, badf("the request is no JSON object of the protocol: %v", err)
	}
	return r, nil
}

// atOnce are requests that need no open file, and so do not wait for others.
var atOnce = map[string]bool{"progress": true, "language": true}

// Do answers a request. Convert its errors with ErrorOf. When ctx is cancelled
// it returns soon.
func (e *Engine) Do(ctx context.Context, r *Request) (*Answer, error) {
	op := opByName[r.Op]
	if op == nil {
		return nil, badf("there is no request %q", r.Op)
	}
	if atOnce[r.Op] {
		return op.run(e, ctx, r)
	}
	work, done, err := e.gate.take(ctx, r.Background)
	if err != nil {
		return nil, err
	}
	defer done()
	e.total.Store(0)
	a, err := e.sub(work, r)
	if err != nil {
		if cause := context.Cause(work); cause == errYielded && ctx.Err() == nil && errors.Is(err, context.Canceled) {
			return nil, errYielded
		}
		return nil, err
	}
	return a, nil
}

// Encode encodes an answer for transport: only the JSON if it has no bytes,
// otherwise the length of the JSON as a little-endian 32-bit number, the JSON,
// and the bytes.
func (a *Answer) Encode() (data []byte, binaryToo bool, err error) {
	head, err := json.Marshal(a.Value)
	if err != nil {
		return nil, false, fmt.Errorf("the answer cannot be written: %w", err)
	}
	if a.Data == nil {
		return head, false, nil
	}
	out := make([]byte, 0, 4+len(head)+len(a.Data))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(head)))
	return append(append(out, head...), a.Data...), true, nil
}

// number is a number for JSON: infinities and NaN become strings.
type number float32

func (n number) MarshalJSON() ([]byte, error) {
	x := float64(n)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return strconv.AppendQuote(nil, strconv.FormatFloat(x, 'g', -1, 32)), nil
	}
	return strconv.AppendFloat(nil, x, 'g', -1, 32), nil
}

func numbers(v []float32) []number {
	out := make([]number, len(v))
	for i, x := range v {
		out[i] = number(x)
	}
	return out
}

func vector(v [4]float32) []number { return numbers(v[:]) }
