package plan

import (
	"fmt"

	"github.com/tablewright/tablewright/spec"
)

// checkParameters checks that a plan uses every parameter of its pattern.
func (c *compiler) checkParameters(p *Procedure) {
	used := map[string]bool{}
	for _, s := range p.Stages {
		for _, n := range s.Document.Mentions() {
			used[n] = true
		}
		s.implied(used)
	}
	for t := range spec.Tests(p.keep) {
		for _, a := range t.Args {
			for x := range a.Terms() {
				if len(x.Reference) > 0 {
					used[x.Reference[0]] = true
				}
			}
		}
	}
	for _, q := range p.Pattern.Parameters {
		if !used[q.Name] && q.Name != p.Pattern.Idempotency {
			c.errorf([]string{"plans", p.Name}, CodeParameter, fmt.Sprintf("bind it: $%s", q.Name), "the plan of %s does not use the parameter %s", p.Name, q.Name)
		}
	}
}

// implied notes the parameters that puts take without naming them.
func (s *Stage) implied(used map[string]bool) {
	if s.value != nil && s.value.param != nil {
		used[s.value.param.Name] = true
	}
	for _, a := range s.Actions {
		a.implied(used)
	}
}
