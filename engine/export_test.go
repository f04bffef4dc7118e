package engine

import "github.com/tablewright/tablewright/engine/internal/kv"

// WaitFilled waits until no index is being filled.
func (e *Engine) WaitFilled() { e.tasks.fills.Wait() }

// Closing is closed when tasks have to end.
func (e *Engine) Closing() <-chan struct{} { return e.tasks.ctx.Done() }

// OpenStore opens an engine on a store.
func OpenStore(s kv.Store, o *Options) (*Engine, error) { return openStore(s, o) }
