package engine

import "github.com/tablewright/tablewright/engine/internal/kv"

// WaitFilled waits until no index is being filled.
func (e *Engine) WaitFilled() { e.tasks.fills.Wait() }

// Closing is why tasks have to end, nil while they run.
func (e *Engine) Closing() error { return e.tasks.ctx.Err() }

// OpenStore opens an engine on a store.
func OpenStore(s kv.Store, o *Options) (*Engine, error) { return openStore(s, o) }
