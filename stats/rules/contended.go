package rules

import (
	"slices"

	"github.com/tablewright/tablewright/stats"
)

// contendedOf are the items of the tables that an operation writes or reads whose conditions failed or transactions conflicted most often.
func (in *Input) contendedOf(o *stats.Operation) (items []*stats.Key) {
	for i := range in.Stats.Contended.List {
		k := &in.Stats.Contended.List[i]
		if k.Table == o.Table || slices.ContainsFunc(o.Arms, func(a stats.Arm) bool { return a.Table == k.Table }) {
			items = append(items, k)
		}
	}
	return items
}

// tablesOf are the tables that an operation is on.
func tablesOf(o *stats.Operation) (names []string) {
	if o.Table != "" {
		return []string{o.Table}
	}
	for _, a := range o.Arms {
		if !slices.Contains(names, a.Table) {
			names = append(names, a.Table)
		}
	}
	return names
}

// itemLoad is what an item took; nil if it is not among those with the most load.
func (in *Input) itemLoad(hash uint64) *stats.Key {
	for i := range in.Stats.Items.List {
		if in.Stats.Items.List[i].Hash == hash {
			return &in.Stats.Items.List[i]
		}
	}
	return nil
}

// keyAttribute reports whether an attribute is of the key of a table that an operation is on.
func (in *Input) keyAttribute(o *stats.Operation, name string) bool {
	for _, table := range tablesOf(o) {
		if t := in.table(table); t != nil {
			if name == t.Declared.Key.Partition || name == t.Declared.Key.Sort {
				return true
			}
			continue
		}
		for i := range in.Stats.Items.List { // nobody knows the table: an item's key has the names
			k := &in.Stats.Items.List[i]
			if k.Table != table || k.Key == "" {
				continue
			}
			if slices.ContainsFunc(keyParts(k.Key), func(p keyPart) bool { return p.name == name }) {
				return true
			}
			break
		}
	}
	return false
}
