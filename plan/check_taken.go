package plan

import (
	"slices"

	"github.com/tablewright/tablewright/spec"
)

// checkTaken checks that what a step takes from an item that another one finds is there: an item need not hold all of its
// entity, nor an index all of its items.
func (c *compiler) checkTaken(p *Procedure) {
	for _, s := range p.Stages {
		for _, a := range append([]*Stage{s}, s.Actions...) {
			var values []spec.Expr
			for _, x := range slices.Concat(a.key, a.with, a.sets, a.adds) {
				values = append(values, x.value)
			}
			for _, b := range a.Where {
				values = append(values, b.Values...)
			}
			for _, x := range values {
				for v := range x.Terms() {
					v.Neg = false
					from, t, ok := p.follow(a, v)
					if !ok || from.stage.Verb.Writes() {
						continue
					}
					switch access := from.stage.Access; {
					case from.embed != nil:
						if !from.stage.tellsChild(from.embed, t) {
							c.errorf(a.Path, CodeElsewhere, "read it from "+from.embed.Child.Name, "%s takes %s from what lies inside what step %s finds, which does not hold it", p.Name, t.id, from.stage.label())
						}
					case access == nil || access == from.kind.Table.Base:
						if !from.kind.offers(t, from.kind.Table.Base) {
							c.errorf(a.Path, CodeElsewhere, "add it to `stores` of "+from.kind.Name+", or get an item that holds it",
								"%s takes %s from step %s, and %s does not hold it", p.Name, t.id, from.stage.label(), from.kind.Name)
						}
					case !from.kind.offers(t, access):
						c.errorf(a.Path, CodeElsewhere, "project it", "%s takes %s from step %s, and %s does not project it", p.Name, t.id, from.stage.label(), access.Name())
					}
				}
			}
		}
	}
}
