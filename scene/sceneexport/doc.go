// Package sceneexport turns a frame of a recorded trace into a scene directory:
// a scene file, shader sources, textures as PNG and meshes as glTF, which
// scene/scenebuild draws to the same picture.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
//
// The frame is replayed, and what each draw is given is taken down: its vertices
// as the vertex shader sees them, the program with its uniforms, the registers
// of the fragment stage, tables, textures and the render target. Registers
// become the keys of the scene format and dmp_* uniforms as far as these express
// them. Then the scene is drawn, and where a draw's registers still differ from
// the trace's the difference is added as raw register writes. What remains is in
// the report.
package sceneexport
