package iam

import (
	"context"
	"strings"
	"sync"

	"github.com/tablewright/tablewright"
)

// Recorder notes what the calls of a program need to be allowed. The zero Recorder is ready; it is safe for concurrent use.
// What it has not seen it does not know: a path through the program that was not taken, a repetition that did not happen.
type Recorder struct {
	mu      sync.Mutex
	needs   map[Need]bool
	records bool // GetRecords was called, on streams that are known by their iterators
}

// Hook is the tablewright.Hook that notes calls, also those that are refused or fail. It decodes every request, which takes
// some microseconds: it is for tests and trials.
func (r *Recorder) Hook(next tablewright.Transport) tablewright.Transport {
	return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
		needs := of(c.Operation, c.Request)
		r.mu.Lock()
		if r.needs == nil {
			r.needs = map[Need]bool{}
		}
		for _, n := range needs {
			r.needs[n] = true
		}
		r.records = r.records || c.Operation == "GetRecords"
		r.mu.Unlock()
		return next.Do(ctx, c)
	})
}

// Needs is what was needed so far, in the order of resources and actions.
func (r *Recorder) Needs() []Need {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := map[Need]bool{}
	for n := range r.needs {
		all[n] = true
		if r.records && n.Action == "dynamodb:GetShardIterator" && strings.HasSuffix(n.Resource, "/stream/*") {
			all[Need{"dynamodb:GetRecords", n.Resource}] = true
		}
	}
	return sorted(all)
}
