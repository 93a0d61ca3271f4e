# make run      installs what is missing, builds bin/pica200, renders the gallery to out/
# make test     sets up what the tests need and runs them
# make build    bin/pica200 without the window (needs Go alone)
# make viewer   bin/pica200 with the window (needs a C compiler, OpenGL and X11)
# make check    the recorded scenes of ../shared/conformance against their images
# make bench    frame times of the recorded scenes and Go benchmarks of the kernels
# make determinism   the same pixels at GOAMD64=v3 and on arm64 under qemu
# make fuzz     every fuzz target for FUZZTIME each
# make mutants  wrong changes to the source, one after the other, that tests must notice
# make hour     frames of a program without an end for LONGRUN (1h): memory must not grow
# make site     site/: the playground for shaders and scenes, for any static host
# make wasm     pictures of WebAssembly against native ones, every golden scene (minutes)
# make lib      lib/: the GPU as a C library, with its header (needs a C compiler)
# make release  dist/: the program without the window for every system, and checksums
# make module MODULE=host/owner/name   gives the module this path, in go.mod and every import
# make help     this list

SHELL := /bin/bash
GO ?= go
# A Go installed in the usual place but not on the PATH is found too.
export PATH := $(PATH):/usr/local/go/bin:$(HOME)/go/bin

BIN := bin/pica200
FUZZTIME ?= 60s
PKG ?= ./...
TESTFLAGS ?= -timeout 20m

.PHONY: module help run build bundle bundle-play site wasm viewer need-window need-browser test vet lint race check bench determinism fuzz mutants hour lib release clean need-go

help:
	@sed -n 's/^# //p' Makefile | head -16

need-go:
	@command -v $(GO) >/dev/null 2>&1 || { \
	  echo "Go 1.26 or later is needed and was not found on the PATH."; \
	  echo "Install it from https://go.dev/dl/ and run make again."; exit 1; }

build: need-go bundle
	@mkdir -p bin
	CGO_ENABLED=0 $(GO) build -trimpath -tags browserengine -o $(BIN) ./cmd/pica200

# The engine of the debugger for browsers, which serve --export puts into its files.
bundle: need-go
	@mkdir -p serve/bundle
	@GOOS=js GOARCH=wasm CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w' -o serve/bundle/engine.wasm ./serve/wasm
	@gzip -9nf serve/bundle/engine.wasm && cp "$$($(GO) env GOROOT)/lib/wasm/wasm_exec.js" serve/bundle/

# The playground: a folder that any static host can serve, site/. The GPU, scenes and
# the shader tools as WebAssembly.
site: need-go bundle-play
	$(GO) run ./gen/site -wasm serve/bundle/play.wasm.gz -exec serve/bundle/wasm_exec.js -o site serve/examples testdata/scenes

bundle-play: need-go bundle
	@GOOS=js GOARCH=wasm CGO_ENABLED=0 $(GO) build -trimpath -tags playground -ldflags '-s -w' -o serve/bundle/play.wasm ./serve/wasm
	@gzip -9nf serve/bundle/play.wasm

# Pictures of WebAssembly against native ones: every golden scene, recorded and read in
# the browser, and eight recorded traces. "make test" compares two of our own traces.
wasm: need-go need-browser bundle-play
	CGO_ENABLED=0 $(GO) test ./serve -run '^TestWebAssembly' -identity -v -count=1 -timeout 20m

# What the window needs to be built, and its tests to run: a C compiler, headers
# of X11 and OpenGL, an X server without a screen, Mesa's software driver.
WINDOW_PACKAGES := gcc libc6-dev pkg-config xorg-dev libgl1-mesa-dev libgl1-mesa-dri xvfb xdotool
have_window = pkg-config --exists gl x11 xrandr xinerama xcursor xi xxf86vm 2>/dev/null && \
  command -v gcc Xvfb xdotool >/dev/null 2>&1

need-window:
	@$(have_window) && exit 0; \
	if command -v apt-get >/dev/null 2>&1; then \
	  sudo=; [ $$(id -u) = 0 ] || sudo="sudo -n"; \
	  echo "installing $(WINDOW_PACKAGES)"; \
	  { $$sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -qq --no-install-recommends $(WINDOW_PACKAGES); } >/dev/null 2>&1; fi; \
	$(have_window) || echo "The window cannot be built or tested here and is left out; it needs: $(WINDOW_PACKAGES)"

# The page of serve is tried in a browser where there is one.
have_browser = command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 || command -v google-chrome >/dev/null 2>&1
need-browser:
	@$(have_browser) && exit 0; \
	if command -v apt-get >/dev/null 2>&1; then \
	  sudo=; [ $$(id -u) = 0 ] || sudo="sudo -n"; \
	  echo "installing chromium"; \
	  { $$sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -qq --no-install-recommends chromium; } >/dev/null 2>&1; fi; \
	$(have_browser) || echo "The page of serve cannot be tried in a browser here; it needs: chromium"

viewer: need-go need-window bundle
	@mkdir -p bin
	CGO_ENABLED=1 $(GO) build -trimpath -tags browserengine -o $(BIN) ./cmd/pica200

run: build
	$(BIN) gallery testdata/scenes -o out
	@echo "Open out/index.html in a browser."

# The recorded scenes of the conformance check lie beside the project; what is
# not there is left out.
TRACES ?= ../shared/conformance/traces
BENCH ?= .

bench: build
	@for t in $(TRACES)/b_*.ctf; do \
	  [ -e "$$t" ] || { echo "no recorded bench scenes in $(TRACES)"; break; }; \
	  for w in 1 2; do $(BIN) bench $$t --workers $$w --repeat 5; done; done
	@for s in still moving; do $(GO) run ./gen/moving -still=$$([ $$s = still ] && echo true || echo false) -o bin/$$s.ctf && \
	  for w in 1 2; do $(BIN) bench bin/$$s.ctf --workers $$w --repeat 2; done; done
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem ./raster ./fragment ./shaderunit ./geometry ./pipeline

check: build
	$(GO) run ../shared/conformance/check.go -bin $(BIN)

determinism: need-go
	GO=$(GO) tests/determinism/run.sh

FUZZPKG ?= $$(grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n1 dirname | sort -u)
fuzz: need-go
	@for p in $(FUZZPKG); do \
	  for f in $$(grep -ho '^func Fuzz[A-Za-z0-9_]*' $$p/*_test.go | cut -c6-); do \
	    echo "$$p $$f"; $(GO) test $$p -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1x || exit 1; done; done

mutants: need-go
	CGO_ENABLED=0 $(GO) test ./tests/mutants -run '^TestMutants$$' -mutants -v -count=1 -timeout 4h

LONGRUN ?= 1h
hour: need-go
	CGO_ENABLED=0 nice $(GO) test ./pipeline -run '^TestLongRun$$' -long-run $(LONGRUN) -v -count=1 -timeout 0

# The last line says how many tests were skipped, and why.
test: need-go need-window need-browser bundle bundle-play vet lint race
	cd gen/avo && $(GO) vet ./... && $(GO) test ./...
	@cgo=0; $(have_window) && cgo=1; set -o pipefail; \
	echo "CGO_ENABLED=$$cgo $(GO) test $(TESTFLAGS) $(PKG)"; \
	CGO_ENABLED=$$cgo $(GO) test -json $(TESTFLAGS) $(PKG) | CGO_ENABLED=0 $(GO) run ./tests/summary

# What runs on several goroutines, under the race detector.
race: need-go need-window
	@command -v gcc >/dev/null 2>&1 || { echo "no C compiler: the race detector is left out"; exit 0; }; \
	echo "$(GO) test -race -short -timeout 20m $(RACED)"; CGO_ENABLED=1 $(GO) test -race -short -timeout 20m $(RACED)
RACED := ./raster ./fragment ./pipeline ./golden

vet: need-go need-window
	@bad=$$(gofmt -l $$(git ls-files '*.go')); [ -z "$$bad" ] || { echo "not gofmt'ed: $$bad"; exit 1; }
	@cgo=0; $(have_window) && cgo=1; CGO_ENABLED=$$cgo $(GO) vet $(PKG)

lint: need-go need-window
	@cgo=0; $(have_window) && cgo=1; CGO_ENABLED=$$cgo $(GO) tool staticcheck $(PKG)

lib: need-go
	@command -v gcc >/dev/null 2>&1 || command -v cc >/dev/null 2>&1 || { echo "a C compiler is needed"; exit 1; }
	@mkdir -p lib
	CGO_ENABLED=1 $(GO) build -trimpath -buildmode=c-shared -o lib/libpica200.so ./capi
	@rm -f lib/libpica200.h && cp capi/pica200.h lib/

RELEASES := linux/amd64 linux/arm64 linux/386 linux/arm windows/amd64 windows/arm64 darwin/amd64 darwin/arm64

release: need-go bundle
	@rm -rf dist && mkdir -p dist
	@for r in $(RELEASES); do \
	  os=$${r%/*} arch=$${r#*/} exe=; [ $$os = windows ] && exe=.exe; \
	  echo "dist/pica200-$$os-$$arch$$exe"; \
	  CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch $(GO) build -trimpath -tags browserengine -ldflags '-s -w' -o dist/pica200-$$os-$$arch$$exe ./cmd/pica200 || exit 1; done
	@cd dist && sha256sum pica200-* > SHA256SUMS && cat SHA256SUMS

# The module's path stands in go.mod; this changes it and all that follows from it.
module: need-go
	@$(GO) run ./gen/module '$(MODULE)'

clean:
	rm -rf bin lib out dist site serve/bundle
