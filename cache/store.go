package cache

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/maypok86/otter/v2"
)

// Store is where answers are kept: NewMemory's, or one of several programs together. Answers lie under the table's name at
// the service, the partition key and the request; what is there is bytes that only a Cache reads. A Store that cannot be reached
// answers as if it had nothing; it must not make reads fail or wait long. It is used by many goroutines at once.
type Store interface {
	// Get is what was Set, if it is still there.
	Get(ctx context.Context, table, partition, request string) (value []byte, ok bool)
	// Set keeps value, which is not changed any more, for ttl or less.
	Set(ctx context.Context, table, partition, request string, value []byte, ttl time.Duration)
	// Drop forgets all of a partition key, of a table if partition is "", and everything if table is "", too.
	Drop(ctx context.Context, table, partition string)
}

// NewMemory is a Store in this process of at most so many bytes: what is used least goes first
// (pkg.go.dev/github.com/maypok86/otter/v2).
func NewMemory(bytes int) (Store, error) {
	if bytes <= 0 {
		return nil, fmt.Errorf("tablewright/cache: a store of %d bytes has no room", bytes)
	}
	m, err := otter.New(&otter.Options[place, bucket]{MaximumWeight: uint64(bytes), Weigher: weigh})
	if err != nil {
		return nil, fmt.Errorf("tablewright/cache: %w", err)
	}
	return memory{m}, nil
}

// bucket is what is kept under one partition key, by request. It is replaced, never changed.
type bucket map[string][]byte

type memory struct{ m *otter.Cache[place, bucket] }

func weigh(p place, b bucket) uint32 {
	n := 200 + len(p.table) + len(p.partition) // what else an entry takes, about
	for request, value := range b {
		n += 50 + len(request) + len(value)
	}
	return uint32(n)
}

func (s memory) Get(_ context.Context, table, partition, request string) ([]byte, bool) {
	b, _ := s.m.GetIfPresent(place{table, partition})
	value, ok := b[request]
	return value, ok
}

// maxKinds is how many different reads are kept of one partition key: pages and projections without end must not push out
// everything else.
const maxKinds = 100

func (s memory) Set(_ context.Context, table, partition, request string, value []byte, _ time.Duration) {
	s.m.Compute(place{table, partition}, func(old bucket, _ bool) (bucket, otter.ComputeOp) {
		with := bucket{request: value}
		if len(old) < maxKinds {
			with = maps.Clone(old)
			if with == nil {
				with = bucket{}
			}
			with[request] = value
		}
		return with, otter.WriteOp
	})
}

func (s memory) Drop(_ context.Context, table, partition string) {
	switch {
	case partition != "":
		s.m.Invalidate(place{table, partition})
	case table == "":
		s.m.InvalidateAll()
	default:
		for p := range s.m.Keys() {
			if p.table == table {
				s.m.Invalidate(p)
			}
		}
	}
}
