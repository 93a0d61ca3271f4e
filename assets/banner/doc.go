// Package banner makes HOME Menu banners of models, and finds in resource files what is
// known to freeze or break the menu.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
//
// A banner is a CGFX file (assets/cgfx) with a model COMMON and animations COMMON. Nodes
// become bones that move whole meshes; skins become rigid, since the menu takes no others.
// docs/MODELS.md says what becomes of the rest of a glTF model.
package banner
