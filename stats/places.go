package stats

import (
	"maps"
	"sync"
	"sync/atomic"
)

// place is a table, or an index of one, as all shards share it.
type place struct {
	id           uint32
	table, index string
	hash         uint64 // what keys of this place are hashed with

	partitions, items distinct

	// followed is set of a table once somebody who had written to it read one of its indexes right after: from then on it is
	// looked under which of their keys a write puts its item.
	followed atomic.Bool

	mu      sync.Mutex
	traffic Traffic // of what it consumed
}

type placeKey struct{ table, index string }

// places finds a place without a lock. There are as many as a program has tables and indexes.
type places struct {
	known atomic.Pointer[map[placeKey]*place]
	mu    sync.Mutex // of who adds one
	list  []*place
	hours int
}

// maxPlaces bounds tables and indexes; what comes later is one place together.
const maxPlaces = 1024

var otherPlace = placeKey{table: others}

// others is what stands for everything beyond a bound.
const others = "(others)"

func (p *places) of(table, index string) *place {
	key := placeKey{table, index}
	if known := p.known.Load(); known != nil {
		if at := (*known)[key]; at != nil {
			return at
		}
	}
	return p.add(key)
}

func (p *places) add(key placeKey) *place {
	p.mu.Lock()
	defer p.mu.Unlock()
	with := map[placeKey]*place{}
	if known := p.known.Load(); known != nil {
		with = maps.Clone(*known)
	}
	if len(with) >= maxPlaces {
		key = otherPlace
	}
	at := with[key]
	if at == nil {
		at = &place{id: uint32(len(p.list)), table: key.table, index: key.index, hash: placeHash(key.table, key.index)}
		at.traffic.keep = p.hours
		p.list = append(p.list, at)
		with[key] = at
		p.known.Store(&with)
	}
	return at
}

// placeHash is the same in every process.
func placeHash(table, index string) uint64 {
	return fast(uint64(len(table)), []byte(table+"\x00"+index))
}

// all are the places there are.
func (p *places) all() []*place {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.list[:len(p.list):len(p.list)]
}

// name is the place's, by its id.
func (p *places) name(id uint32) (table, index string) {
	all := p.all()
	return all[id].table, all[id].index
}

func (p *place) flush(minute int64, m Minute) {
	p.mu.Lock()
	p.traffic.add(minute, m)
	p.mu.Unlock()
}
