package prove

import (
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// known gives the parameters that a condition compares with what is stored (a version, a secret, an owner) the stored
// value: callers have read it. Contrary ones have not, or guess.
func (k *caller) known(p *spec.Pattern, a *spec.Action, in *Instance, intent Intent, named map[string]attr.Value) {
	if len(a.Found) > 0 {
		named[spec.FoundName(a.Entity)] = attr.Map(in.Item)
	}
	for t := range spec.Tests(a.Condition) {
		if t.Op != "=" || len(t.Args) != 1 || len(t.Args[0].Reference) != 1 || t.Args[0].Op != "" {
			continue
		}
		name := t.Args[0].Reference[0]
		if q := p.Parameter(name); q == nil || q.Entity != nil || !named[name].IsZero() {
			continue
		}
		from := in
		if intent == Contrary && k.src.chance(0.7) {
			from = pickOne(k.src, k.cast.byRank[a.Entity])
		}
		if v := k.o.value(from, t.Path); !v.IsZero() {
			named[name] = v
		}
	}
}
