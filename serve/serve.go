// Package serve shows recordings in a browser: a page with a debugger, and the
// engine behind it (package engine) over HTTP. The server answers only requests
// with the token of the address that it printed. Export writes the same
// debugger as a single file.
//
// The package is internal to pica200 and may change at any time.
package serve

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"pica200/serve/engine"
)

//go:embed page
var pageFiles embed.FS

// servedPage returns the files of the page: index.html with its modules and its style sheet.
func servedPage() fs.FS {
	sub, err := fs.Sub(pageFiles, "page")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return sub
}

// Server is the page with an engine behind it. Make one with New.
type Server struct {
	// Export, if not nil, makes the page of a frame for sending it to another person.
	Export func(ctx context.Context, r *ExportRequest) ([]byte, error)

	engine *engine.Engine
	token  string
	hosts  map[string]bool // accepted values of the Host header
	page   fs.FS
	busy   chan struct{}

	exporting chan struct{}
}

// ExportRequest is a page's request for an export.
type ExportRequest struct {
	File  int    `json:"file"`
	Frame int    `json:"frame"`
	Note  string `json:"note"` // text for the reader
	At    string `json:"at"`   // address of the page, with this frame as the only one
}

// maxRequests bounds the requests that run or wait.
const maxRequests = 128

// New makes a server for an address. hosts are other names for the address
// ("name:port"), such as that of a machine that is reached over a network.
func New(e *engine.Engine, addr net.Addr, hosts ...string) (*Server, error) {
	secret := make([]byte, 18)
	if _, err := rand.Read(secret); err != nil {
		return nil, err
	}
	s := &Server{engine: e, token: base64.RawURLEncoding.EncodeToString(secret), page: servedPage(),
		hosts: map[string]bool{}, busy: make(chan struct{}, maxRequests), exporting: make(chan struct{}, 1)}
	at, err := netip.ParseAddrPort(addr.String())
	if err != nil {
		return nil, fmt.Errorf("%v is not an address with a port: %w", addr, err)
	}
	hosts = append(slices.Clone(hosts), addr.String())
	if at.Addr().IsLoopback() || at.Addr().IsUnspecified() {
		for _, name := range []string{"127.0.0.1", "localhost", "[::1]"} {
			hosts = append(hosts, fmt.Sprintf("%s:%d", name, at.Port()))
		}
	}
	for _, h := range hosts {
		h = strings.ToLower(h)
		s.hosts[h], s.hosts[strings.TrimSuffix(h, ":80")] = true, true // browsers leave out the port of http
	}
	return s, nil
}

// Path returns the path of the page, with the token: "/TOKEN/".
func (s *Server) Path() string { return "/" + s.token + "/" }

// policy is the page's Content-Security-Policy: only files of this server, and
// nothing inline.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

// ServeHTTP serves the page and answers its requests; it rejects all others.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	if !s.hosts[strings.ToLower(r.Host)] {
		// Another name that resolves to this server: DNS rebinding.
		http.Error(w, "this server is not reached by that name", http.StatusMisdirectedRequest)
		return
	}
	if !s.sameOrigin(r) {
		http.Error(w, "requests of other pages are not answered", http.StatusForbidden)
		return
	}
	token, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1 {
		http.Error(w, "the address lacks its token: open the one that the program printed", http.StatusForbidden)
		return
	}
	switch rest {
	case "api":
		s.posted(w, r, s.api)
		return
	case "export":
		switch {
		case r.Method == http.MethodGet && s.Export != nil: // a page that asks whether it can
			w.WriteHeader(http.StatusNoContent)
		case r.Method == http.MethodGet:
			_, _ = io.WriteString(w, "this server exports nothing")
		case s.Export == nil:
			http.Error(w, "this server exports nothing", http.StatusNotFound)
		default:
			s.posted(w, r, s.export)
		}
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "the page can be read only", http.StatusMethodNotAllowed)
		return
	}
	http.StripPrefix("/"+token, http.FileServerFS(s.page)).ServeHTTP(w, r)
}

// sameOrigin reports whether a request comes from the page itself, or from no
// page at all.
func (s *Server) sameOrigin(r *http.Request) bool {
	if origin := r.Header.Get("Origin"); origin != "" && origin != "http://"+r.Host {
		return false
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return true
	}
	return false
}

// posted checks a POST request and passes its body on.
func (s *Server) posted(w http.ResponseWriter, r *http.Request, answer func(http.ResponseWriter, *http.Request, []byte)) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST")
		http.Error(w, "requests are posted", http.StatusMethodNotAllowed)
		return
	}
	if r.Header.Get("Content-Type") != "application/json" {
		http.Error(w, "requests are application/json", http.StatusUnsupportedMediaType)
		return
	}
	select {
	case s.busy <- struct{}{}:
		defer func() { <-s.busy }()
	default:
		fail(w, r, &engine.Error{Code: engine.CodeFailed, Text: "too many requests at a time"})
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, engine.MaxRequest))
	if err != nil {
		fail(w, r, &engine.Error{Code: engine.CodeRequest, Text: "the request was not sent whole, or is too long"})
		return
	}
	answer(w, r, body)
}

// export answers with a page of one frame.
func (s *Server) export(w http.ResponseWriter, r *http.Request, body []byte) {
	request := &ExportRequest{}
	if err := json.Unmarshal(body, request); err != nil {
		fail(w, r, &engine.Error{Code: engine.CodeRequest, Text: "the request is no JSON object of the protocol: " + err.Error()})
		return
	}
	request.At = alone(request.At, request.Frame)
	select { // one at a time
	case s.exporting <- struct{}{}:
		defer func() { <-s.exporting }()
	case <-r.Context().Done():
		return
	}
	page, err := s.Export(r.Context(), request)
	if err != nil {
		fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="bug.html"`)
	_, _ = w.Write(page) // the client may have gone
}

// alone converts an address of a page for a recording that has only one of the
// frames.
func alone(at string, frame int) string {
	q, err := url.ParseQuery(at)
	if err != nil {
		return ""
	}
	q.Del("file")
	q.Del("frame")
	edits := map[string]json.RawMessage{}
	if own := strconv.Itoa(frame); json.Unmarshal([]byte(q.Get("edits")), &edits) != nil || edits[own] == nil {
		q.Del("edits")
	} else {
		q.Set("edits", `{"0":`+string(edits[own])+`}`)
	}
	return q.Encode()
}

// api answers a request to the engine.
func (s *Server) api(w http.ResponseWriter, r *http.Request, body []byte) {
	request, err := engine.ParseRequest(body)
	if err != nil {
		fail(w, r, err)
		return
	}
	answer, err := s.engine.Do(r.Context(), request)
	if err != nil {
		fail(w, r, err)
		return
	}
	data, binaryToo, err := answer.Encode()
	if err != nil {
		fail(w, r, err)
		return
	}
	kind := "application/json"
	if binaryToo {
		kind = "application/octet-stream"
	}
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(data) // the client may have gone
}

// statuses are the HTTP statuses of error codes.
var statuses = map[string]int{
	engine.CodeRequest: http.StatusBadRequest, engine.CodeFailed: http.StatusUnprocessableEntity,
	engine.CodeYielded: http.StatusServiceUnavailable, engine.CodeStopped: http.StatusServiceUnavailable,
}

func fail(w http.ResponseWriter, r *http.Request, err error) {
	e := engine.ErrorOf(err)
	data, err := json.Marshal(e)
	if err != nil {
		data = []byte(`{}`) // not with words
	}
	w.Header().Set("Content-Type", "application/json")
	status := statuses[e.Code]
	if r.URL.RawQuery == "page" { // browsers log other statuses as errors of the page
		status = http.StatusAccepted
	}
	w.WriteHeader(status)
	_, _ = w.Write(data)
}

// Serve serves on a listener until ctx ends, which also cancels running
// requests.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	work, stop := context.WithCancel(ctx)
	defer stop()
	server := &http.Server{
		Handler: s, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 64 << 10,
		BaseContext:    func(net.Listener) context.Context { return work },
		ErrorLog:       log.New(io.Discard, "", 0), // errors of clients are not ours to log
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if err := server.Shutdown(late); err != nil {
		_ = server.Close()
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
