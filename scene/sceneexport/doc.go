// Package sceneexport converts a frame of a recorded trace to a scene folder: a
// scene file, shader sources, textures as PNG and meshes as glTF. Package
// scenebuild draws it to the same picture.
//
// Export does all of it and returns a Report. It replays the frame and captures
// the input of each draw: vertices for the vertex shader, the program with its
// uniforms, the registers of the fragment stage, tables, textures and the
// render target. Registers become keys of the scene and dmp_* uniforms where
// these can express them. Then it draws the scene, and adds raw register writes
// where a draw's registers still differ from the trace's. Remaining differences
// are in the report.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
package sceneexport
