// Package watch reports changes of files.
package watch

import (
	"path/filepath"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// settle is how long files must be unchanged before they are read again:
// editors write in several steps, or move a new file into place.
const settle = 50 * time.Millisecond

// Watcher reports changes of files. It watches their folders, because editors
// replace files instead of writing to them, and because a deleted file may come
// back.
type Watcher struct {
	fs      *fsnotify.Watcher
	changed func()
	done    sync.WaitGroup

	mu    sync.Mutex
	files map[string]bool
	dirs  map[string]bool
}

// Files calls changed, on another goroutine, shortly after files have changed.
func Files(files []string, changed func()) (*Watcher, error) {
	fs, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	w := &Watcher{fs: fs, changed: changed, dirs: map[string]bool{}}
	w.done.Add(1)
	go w.run()
	return w, w.Set(files)
}

// Set replaces the set of watched files. It reports a folder that cannot be
// watched, and watches the others.
func (w *Watcher) Set(files []string) (err error) {
	if w == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.files = map[string]bool{}
	want := map[string]bool{}
	for _, f := range files {
		abs, e := filepath.Abs(f)
		if e != nil {
			err = e
			continue
		}
		w.files[abs] = true
		want[filepath.Dir(abs)] = true
	}
	for d := range w.dirs {
		if !want[d] {
			_ = w.fs.Remove(d) // it may be deleted already
			delete(w.dirs, d)
		}
	}
	for d := range want {
		if w.dirs[d] {
			continue
		}
		if e := w.fs.Add(d); e != nil {
			err = e
			continue
		}
		w.dirs[d] = true
	}
	return err
}

func (w *Watcher) run() {
	defer w.done.Done()
	timer := time.NewTimer(time.Hour)
	timer.Stop()
	for {
		select {
		case e, ok := <-w.fs.Events:
			if !ok {
				timer.Stop()
				return
			}
			w.mu.Lock()
			ours := w.files[e.Name] && e.Op != fsnotify.Chmod
			if w.dirs[e.Name] && e.Has(fsnotify.Remove|fsnotify.Rename) {
				delete(w.dirs, e.Name) // watch it again when it is back
			}
			w.mu.Unlock()
			if ours {
				timer.Reset(settle)
			}
		case _, ok := <-w.fs.Errors:
			// The kernel's queue may have overflowed: something has changed.
			if !ok {
				return
			}
			timer.Reset(settle)
		case <-timer.C:
			w.changed()
		}
	}
}

// Close stops watching. changed is not called after it returns.
func (w *Watcher) Close() {
	w.fs.Close()
	w.done.Wait()
}
