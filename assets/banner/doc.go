// Package banner makes HOME Menu banners from models (Build), and finds what is
// known to freeze or break the menu in resource files (Lint).
//
// A banner is a CGFX file (package cgfx) with a model COMMON and animations
// COMMON. Nodes become bones that move whole meshes. Skins become rigid, since
// the menu supports no others. docs/MODELS.md says what becomes of the rest of
// a glTF model.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
package banner
