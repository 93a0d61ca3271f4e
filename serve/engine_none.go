//go:build !browserengine

package serve

// BrowserEngine returns the engine for browsers that is embedded in the
// program, nil if there is none.
func BrowserEngine() *Engine { return nil }
