//go:build !browserengine

package serve

// BrowserEngine is the engine for browsers that the program carries, nil for none.
func BrowserEngine() *Engine { return nil }
