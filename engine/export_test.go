package engine

import (
	"context"

	"github.com/tablewright/tablewright/engine/internal/kv"
)

// WaitFilled waits until no index is being filled.
func (e *Engine) WaitFilled() { e.tasks.fills.Wait() }

// Closing is closed when tasks have to end.
func (e *Engine) Closing() <-chan struct{} { return e.tasks.ctx.Done() }

// OpenStore opens an engine on a store.
func OpenStore(s kv.Store, o *Options) (*Engine, error) { return openStore(s, o) }

// TrimStreams removes what is left of streams and nobody can read.
func (e *Engine) TrimStreams(ctx context.Context) error { return e.trimStreams(ctx) }
