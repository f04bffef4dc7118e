package tablewright

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/keys"
	"github.com/tablewright/tablewright/plan"
)

// sharding is what {shard} in the templates of a kind of items stands for: what would be one hot partition key is spread over
// several (docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-sharding.html).
type sharding struct {
	keys.Shards
	by    attrPath         // the attribute whose hash counts; "": at random
	field attr.StructField // of by
	inKey bool             // the table's own key has {shard}, not only that of an index
}

// shardPath is the path of {shard} itself, for lookups that know its number.
const shardPath attrPath = "{shard}"

// errShardUnknown says that an item cannot be addressed.
var errShardUnknown = errors.New("its key has a shard that is chosen at random when the item is put, so that nobody can name it again: read such items " +
	"with queries, or let the shard follow from an attribute of the key (Shard.By)")

// newSharding reads the declaration of the shards of d's items.
func newSharding(d *decl, s *plan.Shard) (*sharding, error) {
	if s == nil {
		return nil, nil
	}
	if s.Of < 2 || s.Of > keys.MaxShards {
		return nil, fmt.Errorf("shard: divided into %d: 2 to %d are possible", s.Of, keys.MaxShards)
	}
	if f, both := d.fields["shard"]; both {
		return nil, fmt.Errorf("shard: {shard} would be the attribute %s as well: give the field %s another name", f.Name, f.Go)
	}
	of := &sharding{Shards: keys.Shards{Of: s.Of}}
	switch s.By {
	case "random":
		return of, nil
	case "":
		return nil, errors.New("shard: By is empty: name the attribute whose hash counts, or random")
	}
	of.by = attrPath(s.By)
	var err error
	if of.field, err = d.find(of.by.plain()); err == nil {
		_, err = logicalType(of.field)
	}
	if err != nil {
		return nil, fmt.Errorf("shard: by %s: %w", s.By, err)
	}
	return of, nil
}

// part is {shard} as a part of a template.
func (s *sharding) part(wire plan.Type) (tpart, error) {
	switch {
	case s == nil:
		return tpart{}, errors.New("{shard}: the item is not divided: give it Shard, with the number of shards and the attribute whose hash counts, or random")
	case wire != plan.S:
		return tpart{}, fmt.Errorf("{shard} is written as text, not into an attribute of type %s", wire)
	case s.by == "":
		return tpart{path: shardPath, codec: s.Codec(), shard: true}, nil
	}
	return tpart{path: s.by, field: s.field, codec: s.Codec(), shard: true}, nil
}

// atRandom reports whether nobody can tell the key of an item from its attributes.
func (d *decl) atRandom() bool { return d.shards != nil && d.shards.inKey && d.shards.by == "" }

// chooseShard is a shard for an item that is put, from 1; 0 where it follows from the item.
func (d *decl) chooseShard() int {
	if !d.atRandom() {
		return 0
	}
	return 1 + rand.IntN(d.shards.Of)
}

// inShard is get, and the shard with number n, from 1; 0: get alone.
func inShard(get lookup, n int) lookup {
	if n == 0 {
		return get
	}
	return func(p attrPath) (attr.Value, bool) {
		if p == shardPath {
			return attr.Num(attr.Int(int64(n - 1))), true
		}
		return get(p)
	}
}

// spread is get, and for an index whose shards are chosen at random the shard of an item: it is drawn from the parts of the
// item's key, so that an item stays where it is in the index when it is written again.
func (d *decl) spread(get lookup) lookup {
	if d.shards == nil || d.shards.by != "" || d.shards.inKey {
		return get
	}
	return func(p attrPath) (attr.Value, bool) {
		if p != shardPath {
			return get(p)
		}
		var whole []byte
		for _, part := range d.parts {
			v, known := get(part)
			if !known {
				return v, false
			}
			whole = attr.AppendValue(append(whole, ','), v)
		}
		return attr.Num(attr.Int(int64(d.shards.Hash(attr.Text(string(whole)))))), true
	}
}

// shardOf is the number of {shard} that a lookup tells by itself.
func shardOf(get lookup) (n int, known bool) {
	v, known := get(shardPath)
	if !known || v.Kind() != attr.KindN {
		return 0, false
	}
	i, _ := v.Number().Int64()
	return int(i), true
}

// scatter finds out whether queries have to read all shards: the partition has {shard}, and nothing else in it tells which.
func (x *access) scatter(source *decl) {
	for _, w := range x.partition {
		if w.native() {
			continue
		}
		for _, p := range w.tmpl.parts {
			if p.shard && (p.path == shardPath || !slices.Contains(x.partPaths, p.part().plain())) {
				x.shards, x.shardPart = source.shards.Of, p.part()
			}
		}
	}
	x.partPaths = slices.DeleteFunc(x.partPaths, func(p attrPath) bool { return x.shards > 0 && p == x.shardPart || p == shardPath })
}

// shardCount is how many shards a query has to read: 1 if what is bound tells which.
func (s *state) shardCount() int {
	x := s.x
	if x == nil || x.shards == 0 || s.shard > 0 {
		return 1
	}
	if x.shardPart != shardPath {
		if _, known := s.bound(x.shardPart); known {
			return 1
		}
	}
	return x.shards
}

// bound is the value of a part of the key, if it is bound to one.
func (s *state) bound(p attrPath) (attr.Value, bool) {
	x := s.x
	exactly := func(p attrPath) (attr.Value, bool) {
		if i := slices.Index(x.partPaths, p); i >= 0 {
			return s.parts[i], true
		}
		if i := slices.Index(x.sortPaths, p); i >= 0 && len(x.partPaths)+i < int(s.n) {
			return s.parts[len(x.partPaths)+i], true
		}
		return attr.Value{}, false
	}
	if p == shardPath {
		return attr.Num(attr.Int(int64(s.shard - 1))), s.shard > 0
	}
	v, known := exactly(p)
	if !known && p.plain() != p {
		v, known = exactly(p.plain()) // a day is known with its moment
	}
	return v, known
}

// usesShard reports whether a template has the part {shard}.
func usesShard(text string) bool { return strings.Contains(text, "{shard}") }

// checkShards notes whether the table's key has {shard}, and refuses what cannot be kept true there.
func (d *decl) checkShards(item plan.Item) error {
	used := false
	for _, text := range item.Key {
		d.shards.inKey = d.shards.inKey || usesShard(text)
	}
	for _, t := range item.Set {
		used = used || usesShard(t.Value)
	}
	switch {
	case !d.shards.inKey && !used:
		return errors.New("shard: no template has the part {shard}")
	case d.atRandom() && d.version != "":
		return fmt.Errorf("shard: %s is a version, and an item in a random shard cannot be found again to compare it: let the shard follow from an attribute "+
			"of the key (Shard.By)", d.version)
	}
	return nil
}
