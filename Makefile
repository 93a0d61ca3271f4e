# make run      builds bin/pica200, renders the gallery to out/
# make test     the tests that find mistakes, in minutes, with what is installed here
# make ci       all tests, the race detector, staticcheck, every system of a release
# make setup    installs what the window needs (Debian, Ubuntu)
# make setup-ci the same, and what the slow tests need: a browser, emulation of arm64
# make build    bin/pica200 without the window (needs Go alone)
# make viewer   bin/pica200 with the window (needs a C compiler, OpenGL and X11)
# make check    the recorded scenes of ../shared/conformance against their images
# make bench    frame times of the recorded scenes and Go benchmarks
# make determinism   the same pixels at GOAMD64=v3 and on arm64 under qemu
# make fuzz     every fuzz target for FUZZTIME each
# make mutants  random wrong changes to the source that tests must notice: MUTANTS="-n 100 -seed 7 ./golden"
# make hour     frames of a program without an end for LONGRUN (1h): memory must not grow
# make site     site/: the playground for shaders and scenes, for any static host
# make wasm     pictures of WebAssembly against native ones, every golden scene (minutes)
# make lib      lib/: the GPU as a C library, with its header (needs a C compiler)
# make lib32    lib32/: the same with 32 bits, for console/host (needs gcc-multilib)
# make release  dist/: the program without the window for every system, and checksums
# make module MODULE=host/owner/name   gives the module this path, in go.mod and every import
# make help     this list

SHELL := /bin/bash
GO ?= go
# A Go installed in the usual place but not on the PATH is found too.
export PATH := $(PATH):/usr/local/go/bin:$(HOME)/go/bin

# Builds, tests and the builds that tests make share what was compiled. Compilers collect garbage
# less often and write no tables for debuggers, which saves a third of their work.
export GOFLAGS := $(strip $(GOFLAGS) -trimpath '-toolexec=env GOGC=400' '-gcflags=all=-dwarf=false')

# Programs for arm64 and for WebAssembly have kernels on vectors of 128 bits if they are built
# like this: with a Go that has them, which the go command fetches (serve/build.go names the same one).
VECTORS := GOTOOLCHAIN=go1.27.3 GOEXPERIMENT=simd
here = $(if $(filter arm64,$(shell $(GO) env GOARCH)),$(VECTORS))

BIN := bin/pica200
FUZZTIME ?= 60s
# The packages with the longest tests come first, and one more is tested at a time than
# there are processors, because tests of windows, pages and processes also wait.
PKG ?= ./serve ./cmd/pica200 ./viewer ./pipeline ./emulator/record ./pipeline/retrace ./tests/mutation ./tests/resources ./emulator/capi \
	./viewer/session ./viewer/app ./tests/module ./tests/determinism ./...
# make test leaves out the packages whose tests build C programs, measure processes or open
# pages, and those of tools for developers.
IN_CI := emulator/capi emulator/integration emulator/record console/host tests/determinism tests/module tests/pages tests/resources \
	internal/module tests/mutation tests/paired tests/pairs
QUICK = $(if $(filter ./...,$(PKG)),$(filter-out ./... $(IN_CI:%=./%),$(PKG)) $$($(GO) list ./... | grep -vxF "$$(printf "$$($(GO) list -m)/%s\n" $(IN_CI))"),$(PKG))
TESTFLAGS ?= -timeout 20m -p $$(($$(getconf _NPROCESSORS_ONLN) + 1))

.PHONY: help run setup setup-ci workflows build viewer bundle site wasm test formatted ci lint race releases generators check bench determinism fuzz mutants hour lib lib32 release module clean need-go

help:
	@sed -n 's/^# //p' Makefile | head -19

need-go:
	@command -v $(GO) >/dev/null 2>&1 || { \
	  echo "Go 1.26 or later is needed and was not found on the PATH."; \
	  echo "Install it from https://go.dev/dl/ and run make again."; exit 1; }

build: need-go
	@mkdir -p bin
	CGO_ENABLED=0 $(here) $(GO) build $(LEAN) -o $(BIN) ./cmd/pica200

# Without the tables that only debuggers read, and HTTP/2, which the debugger's page does not use.
LEAN := -ldflags '-s -w' -tags nethttpomithttp2

viewer: need-go
	@$(have_window) || { echo "The window needs $(WINDOW_PACKAGES); make setup installs them."; exit 1; }
	@mkdir -p bin
	CGO_ENABLED=1 $(here) $(GO) build $(LEAN) -o $(BIN) ./cmd/pica200

# The engine for browsers that programs of a release carry, for serve --export.
bundle: need-go
	@mkdir -p serve/bundle
	@GOOS=js GOARCH=wasm CGO_ENABLED=0 $(VECTORS) $(GO) build $(LEAN) -o serve/bundle/engine.wasm ./serve/wasm
	@gzip -9nf serve/bundle/engine.wasm && cp "$$($(VECTORS) $(GO) env GOROOT)/lib/wasm/wasm_exec.js" serve/bundle/

# The playground: a folder that any static host can serve, site/. The GPU, scenes and
# the shader tools as WebAssembly.
site: need-go
	$(GO) run ./internal/gen/site -o site serve/examples testdata/scenes

# Pictures of WebAssembly against native ones: every golden scene, recorded and read in
# the browser, and eight recorded traces. "make ci" compares two of our own traces.
wasm: need-go
	CGO_ENABLED=0 $(GO) test ./serve -run '^TestWebAssembly' -identity -v -count=1 -timeout 20m

# What the window needs to be built, and its tests to run: a C compiler, headers
# of X11 and OpenGL, an X server without a screen, Mesa's software driver. Pages
# are tried in a browser, arm64 is emulated.
WINDOW_PACKAGES := gcc libc6-dev pkg-config xorg-dev libgl1-mesa-dev libgl1-mesa-dri xvfb xdotool
OTHER_PACKAGES := chromium qemu-user-static
have = for c in $(1); do command -v $$c >/dev/null 2>&1 || exit 1; done
have_window = ( pkg-config --exists gl x11 xrandr xinerama xcursor xi xxf86vm 2>/dev/null && $(call have,gcc Xvfb xdotool) )
have_other = ( $(call have,chromium qemu-aarch64-static) )
cgo = $(shell $(have_window) && echo 1 || echo 0)

setup:
	@$(have_window) || $(call install,$(WINDOW_PACKAGES))

setup-ci: setup
	@$(have_other) || $(call install,$(OTHER_PACKAGES))

install = { command -v apt-get >/dev/null 2>&1 || { echo "make setup knows Debian and Ubuntu; this needs: $(1)"; exit 1; }; \
	sudo=; [ $$(id -u) = 0 ] || sudo="sudo -n"; \
	echo "installing $(1)"; \
	$$sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -qq --no-install-recommends $(1) >/dev/null; }

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
	@for s in still moving; do $(GO) run ./internal/gen/moving -still=$$([ $$s = still ] && echo true || echo false) -o bin/$$s.ctf && \
	  for w in 1 2; do $(BIN) bench bin/$$s.ctf --workers $$w --repeat 2; done; done
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem ./raster ./fragment ./pipeline

check: build
	$(GO) run ../shared/conformance/check.go -bin $(BIN)

determinism: need-go
	GO=$(GO) tests/determinism/run.sh
	GO=$(GO) tests/determinism/twins.sh

FUZZPKG ?= $$(grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n1 dirname | sort -u)
fuzz: need-go
	@for p in $(FUZZPKG); do \
	  for f in $$(grep -ho '^func Fuzz[A-Za-z0-9_]*' $$p/*_test.go | cut -c6-); do \
	    echo "$$p $$f"; $(GO) test $$p -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1x || exit 1; done; done

mutants: need-go
	CGO_ENABLED=0 $(GO) run ./tests/mutation $(MUTANTS)

LONGRUN ?= 1h
hour: need-go
	CGO_ENABLED=0 nice $(GO) test ./pipeline -run '^TestLongRun$$' -long-run $(LONGRUN) -v -count=1 -timeout 0

# gotestsum prints a line a package, what failed, and how many tests ran and were skipped.
# go run compiles as tests are compiled; go tool ignores GOFLAGS and compiles the standard library again.
GOTESTSUM = $(GO) run gotest.tools/gotestsum --format pkgname-and-test-fails --format-hide-empty-pkg

test: need-go formatted
	PICA200_SHORT=1 CGO_ENABLED=$(cgo) $(GOTESTSUM) --hide-summary skipped,output -- -vet=all -ldflags="-s -w" $(TESTFLAGS) $(QUICK)
	@$(have_window) || echo "The window was left out: make setup installs what it needs."
	@( $(call have,chromium) ) || echo "Pages were not tried in a browser: make setup-ci installs one."
	@echo "Slow tests and these packages were left out: $(IN_CI). make ci runs all."

formatted: need-go
	@bad=$$(gofmt -l $$(git ls-files '*.go')); [ -z "$$bad" ] || { echo "not gofmt'ed: $$bad"; exit 1; }

# All tests, with the reasons of those that were skipped. None is taken from the cache, which does not know what tests build.
ci: need-go lint workflows generators releases
	CGO_ENABLED=$(cgo) $(GOTESTSUM) --hide-summary output -- -count=1 -vet=all -ldflags="-s -w" $(TESTFLAGS) $(PKG)
	@$(MAKE) race
	@$(MAKE) determinism TRACES=none

lint: need-go
	CGO_ENABLED=$(cgo) $(GO) run honnef.co/go/tools/cmd/staticcheck $(PKG)

workflows: need-go
	$(GO) run github.com/rhysd/actionlint/cmd/actionlint@v1.7.7 .github/workflows/*.yml docs/ci/github-workflow.yml docs/ci/host-github.yml

# The committed assembly and the pages' editor are what their generators make; the latter needs npm.
generators: need-go
	cd internal/gen/avo && $(GO) vet ./... && $(GO) test ./...
	cd internal/gen/codemirror && $(GO) vet . && $(GO) test -v .

# What runs on several goroutines, under the race detector. Kernels and rasterization run on
# one, so their comparisons are left out; of the fragment stage only textures are decoded by several.
RACE = CGO_ENABLED=1 $(GOTESTSUM) --hide-summary skipped,output -- -race -short -vet=off -timeout 20m
race: need-go
	@( $(call have,gcc) ) || { echo "no C compiler: the race detector is left out"; exit 0; }; \
	$(RACE) -skip 'SameBits|Kernel|AddUp|Reference|Matches|FLIP' ./pipeline ./golden && \
	$(RACE) -run 'AnyWorkers|HelpersDraw' ./fragment

lib: need-go
	@command -v gcc >/dev/null 2>&1 || command -v cc >/dev/null 2>&1 || { echo "a C compiler is needed"; exit 1; }
	@mkdir -p lib
	CGO_ENABLED=1 $(here) $(GO) build -buildmode=c-shared -o lib/libpica200.so ./emulator/capi
	@rm -f lib/libpica200.h && cp emulator/capi/pica200.h lib/

lib32: need-go
	@mkdir -p lib32
	GOARCH=386 CGO_ENABLED=1 CC="gcc -m32" $(GO) build -buildmode=c-shared -o lib32/libpica200.so ./emulator/capi
	@rm -f lib32/libpica200.h && cp emulator/capi/pica200.h lib32/

RELEASES := linux/amd64 linux/arm64 linux/386 linux/arm windows/amd64 windows/arm64 darwin/amd64 darwin/arm64

release: need-go bundle
	@rm -rf dist && mkdir -p dist
	@for r in $(RELEASES); do \
	  os=$${r%/*} arch=$${r#*/} exe=; [ $$os = windows ] && exe=.exe; \
	  echo "dist/pica200-$$os-$$arch$$exe"; \
	  vectors=; [ $$arch = arm64 ] && vectors='$(VECTORS)'; \
	  env $$vectors CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch $(GO) build $(LEAN),browserengine -o dist/pica200-$$os-$$arch$$exe ./cmd/pica200 || exit 1; done
	@cd dist && sha256sum pica200-* > SHA256SUMS && cat SHA256SUMS

# Each system and each processor of a release compiles and links; without optimizing, which
# takes half the time. tests/determinism/run.sh builds the program for linux/arm64, twins.sh
# the vectors for it.
releases: need-go
	@for r in linux/386 linux/arm windows/amd64 darwin/arm64; do \
	  echo "building for $$r"; \
	  CGO_ENABLED=0 GOOS=$${r%/*} GOARCH=$${r#*/} $(GO) build $(LEAN) -gcflags 'all=-N -l -dwarf=false' -o /dev/null ./cmd/pica200 || exit 1; done

# The module's path stands in go.mod; this changes it and all that follows from it.
module: need-go
	@GO=$(GO) bash internal/module/rename.sh '$(MODULE)'

clean:
	rm -rf bin lib out dist site serve/bundle
