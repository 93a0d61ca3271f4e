package engine

import "container/list"

// cache caches results of requests in bounded memory; the least recently used
// are dropped. Values depend only on their key: recordings do not change while
// they are open.
type cache struct {
	bound, bytes int64
	entries      map[cacheKey]*list.Element
	order        list.List // of *cached, last used in front
}

// cacheKey identifies a value. What is the kind of value and everything that it
// depends on besides the position.
type cacheKey struct {
	file, frame, draw int
	what              string
}

type cached struct {
	key   cacheKey
	value any
	bytes int64
}

func (c *cache) get(k cacheKey) any {
	if e := c.entries[k]; e != nil {
		c.order.MoveToFront(e)
		return e.Value.(*cached).value
	}
	return nil
}

// put adds a value of that many bytes, if it fits at all.
func (c *cache) put(k cacheKey, value any, bytes int64) {
	c.remove(k)
	if bytes > c.bound {
		return
	}
	for c.bytes+bytes > c.bound {
		c.remove(c.order.Back().Value.(*cached).key)
	}
	if c.entries == nil {
		c.entries = map[cacheKey]*list.Element{}
	}
	c.entries[k] = c.order.PushFront(&cached{k, value, bytes})
	c.bytes += bytes
}

func (c *cache) remove(k cacheKey) {
	if e := c.entries[k]; e != nil {
		c.bytes -= e.Value.(*cached).bytes
		c.order.Remove(e)
		delete(c.entries, k)
	}
}

// forget drops everything of a file.
func (c *cache) forget(file int) {
	for k := range c.entries {
		if k.file == file {
			c.remove(k)
		}
	}
}
