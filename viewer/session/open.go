package session

import (
	"fmt"
	"io"
	"os"
	"strings"

	"pica200/assets/picatrace"
	"pica200/scene/scenebuild"
)

// Open finds out what a file is and reads it: a recorded trace, a scene, a
// model, a shader binary or the source of a shader. Files that it names may lie
// in its folder and in roots.
func Open(path string, roots ...string) (Source, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	head := make([]byte, 4096)
	n, err := io.ReadFull(f, head)
	f.Close()
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	head = head[:n]
	if picatrace.IsTrace(head) {
		return OpenTrace(path)
	}
	switch {
	case strings.HasPrefix(string(head), "DVLB"), strings.HasSuffix(path, ".pica"):
		return OpenShader(path)
	case isScene(path):
		return OpenScene(path, roots...)
	case scenebuild.IsModel(path):
		return OpenModel(path, roots...)
	}
	return nil, fmt.Errorf("%s: not a file that can be shown; there are traces (.ctf, .picatrace), scenes (.yaml), models (.gltf, .glb, .obj), shaders (.shbin, .pica)", path)
}
