// Package scenebuild draws scene files: it turns the targets, cameras, lights,
// models and draws of scene into calls of the drawing API (frontend/gl),
// which turns them into what a program on the console would do. A scene that is
// rendered and one that is recorded as a trace go through the same command
// lists, so the trace replays to the same picture.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
//
// Mistakes that the scene's own package cannot find, because they need the
// GPU's tables or the files that a scene names, are reported here with the
// place in the scene file that they come from.
package scenebuild
