package plan

import "slices"

// checkTaken checks that what a step takes from an item that another one gets is there: an item need not hold all of its entity.
func (c *compiler) checkTaken(p *Procedure) {
	for _, s := range p.Stages {
		for _, a := range append([]*Stage{s}, s.Actions...) {
			for _, x := range slices.Concat(a.key, a.with, a.sets, a.adds) {
				for v := range x.value.Terms() {
					v.Neg = false
					from, t, ok := p.follow(a, v)
					if !ok || from.stage.Verb != Get && from.stage.Verb != BatchGet || from.kind.offers(t, from.kind.Table.Base) {
						continue
					}
					c.errorf(a.Path, CodeElsewhere, "add it to `stores` of "+from.kind.Name+", or get an item that holds it",
						"%s takes %s from step %s, and %s does not hold it", p.Name, t.id, from.stage.label(), from.kind.Name)
				}
			}
		}
	}
}
