package plan

import "github.com/tablewright/tablewright/spec"

// source is a kind read by a stage: where entities of the answer come from.
type source struct {
	stage *Stage
	kind  *Kind
	embed *Embedding // the entities are children inside the kind's items
}

// sources lists where the answer's steps find an entity.
func (p *Procedure) sources(e *spec.Entity) (out []source) {
	for _, s := range p.From {
		for _, k := range s.found() {
			if k.Entity == e && (k.Role == EntityItem || k.Role == CopyItem || k.Role == UniqueItem) {
				out = append(out, source{s, k, nil})
			}
			for _, m := range k.Embeds {
				if m.Child == e && s.action(k).Access.projects(k, m.Attribute) {
					out = append(out, source{s, k, m})
				}
			}
		}
	}
	return out
}

// found lists the kinds that a reading stage can find; none of a stage that writes.
func (s *Stage) found() []*Kind {
	switch s.Verb {
	case Get, BatchGet:
		return []*Kind{s.Kind}
	case TransactGet:
		var out []*Kind
		for _, a := range s.Actions {
			out = append(out, a.Kind)
		}
		return out
	case Query, Scan:
		return s.Kinds
	}
	return nil
}

// mains lists where the entities that the pattern asks for come from.
func (p *Procedure) mains() []source { return p.sources(p.Pattern.Read) }

// action is the stage that reads a kind: inside a transaction, the get itself.
func (s *Stage) action(k *Kind) *Stage {
	for _, a := range s.Actions {
		if a.Kind == k {
			return a
		}
	}
	return s
}
