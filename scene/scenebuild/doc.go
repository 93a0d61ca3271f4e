// Package scenebuild draws scene files: it turns the targets, cameras, lights,
// models and draws of a scene (package scene) into calls of the drawing API
// (package gl), which do what a program on the console would do.
//
// Load makes a Stage from a scene file, or from a model or shader alone.
// Stage.Render draws it, Stage.Record records it as a trace. Both use the same
// command lists, so the trace replays to the same picture.
//
// Errors that package scene cannot find, because they need the GPU's tables or
// the files of a scene, are reported here with their position in the scene file.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
package scenebuild
