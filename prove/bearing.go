package prove

import (
	"slices"

	"github.com/tablewright/tablewright/spec"
	"github.com/tablewright/tablewright/workload"
)

// A bearing is the states in one of which a parent is as long as it has children.
type bearing struct {
	at     *spec.Attribute
	states []string
}

// bearingOf are the states of the parents by each way, where writes tell in which these may have children.
func bearingOf(r *spec.Requirements) map[*spec.Relationship][]bearing {
	out := map[*spec.Relationship][]bearing{}
	for _, e := range r.Entities {
		for _, way := range e.There {
			for _, at := range way.To.Attributes {
				if states := workload.ParentStates(r, way, at); states != nil {
					out[way] = append(out[way], bearing{at, states})
				}
			}
		}
	}
	return out
}

// mayHave reports whether a parent is in a state in which it may have children by a way.
func (k *caller) mayHave(way *spec.Relationship, parent *Instance) bool {
	return !slices.ContainsFunc(k.bearing[way], func(b bearing) bool {
		return !slices.Contains(b.states, parent.Item.Get(b.at.Name).Str())
	})
}
