package design

import (
	"strings"

	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/spec"
)

// What prices depend on. Configurations differ from each other in little, and the same read or write is priced again in
// thousands of them: all that tells two of them apart is here, and equal keys have equal prices.

// readKey is what the units of a read step depend on.
type readKey struct {
	verb                     verb
	strong, snapshot, pinned bool
	items                    string // interned sizes: of the entries of an index, or of each kind of item
	marker                   string
	table                    bool
	shards                   int
	found, per               matches
	limit                    int
	thin                     float64
	skew                     spec.Skew
}

func (p *pricer) keyOfRead(s *scene, d *demand, t *readStep) readKey {
	k := readKey{
		verb: t.verb, strong: t.strong, snapshot: d.snapshot && !t.alone, pinned: d.target == t.kinds[0] && d.pinned(), table: t.index == nil, shards: s.shards(t),
		found: t.found, per: t.per, limit: t.limit, thin: t.thin, skew: d.skew,
	}
	k.found.per, k.per.per = nil, nil // which way makes no difference, only how many
	if t.aside != nil {
		k.marker, k.shards = "."+t.aside.Name, s.layout.options[t.kinds[0]].aside.shards
	}
	for _, a := range t.marker {
		k.marker += a.Name + ";"
	}
	if t.index != nil {
		k.items = p.entryOf(s.figure(t.kinds[0]), t.index, s.project(t.index)).key
		return k
	}
	kinds := s.kindsRead(t)
	if len(kinds) == 1 {
		k.items = s.figure(kinds[0]).read
		return k
	}
	var b strings.Builder
	for _, e := range kinds {
		b.WriteString(s.figure(e).read)
	}
	k.items = b.String()
	return k
}

// writeKey is what the units of a write depend on: an interned size, and which members are written.
type writeKey struct {
	size    string
	members int64
	first   float64 // the share of the first rank
}

func keyOfWrite(v *sized, pick dist.Law) writeKey {
	return writeKey{v.key, pick.Members(), pick.Share(1)}
}

// armsKey is what the money for an index's arms of a write depends on.
type armsKey struct {
	write   *writePlan
	index   *indexShape
	figure  *figure
	project string
}

// entryKey is what the volume of an index's entries depends on.
type entryKey struct {
	figure         *figure
	index, project string
}
