package stats

import (
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

// statementShape is what a statement of PartiQL is of what is called an operation elsewhere, as far as its text and the keys of its
// table tell: what stands in a request of that operation is read off it. It does not change.
type statementShape struct {
	does   string   // the operation that does the same; "" where that cannot be told
	kind   callKind // of that
	action string   // and as a part of a transaction: see Part.Action
	asks   Asks
	after  bool        // answers the whole item as it is then
	uses   []Attribute // what a look notes of its expressions

	partition []namedValue // the partition key that is read or written, in the order of its attributes; nil if it is none, or several
	item      []namedValue // the whole key of the one item that is
	fields    []namedValue // of INSERT all that is put, of others the item's key
	sets      []namedValue // what UPDATE sets whole attributes to
	puts      bool
}

// namedValue is an attribute and what the statement gives it: one of its parameters, or what stands in its text.
type namedValue struct {
	name      string
	member    []byte // the name in JSON, with a colon
	parameter int    // from 1
	literal   []byte // DynamoDB JSON
}

func valueFor(name string, g expr.Given) namedValue {
	v := namedValue{name: name, member: appendName(nil, name), parameter: g.Parameter}
	if !g.Literal.IsZero() {
		v.literal = attr.AppendValue(nil, g.Literal)
	}
	return v
}

// of is the value; nil if it did not come with the statement.
func (v *namedValue) of(parameters [][]byte) []byte {
	if v.parameter == 0 {
		return v.literal
	}
	if v.parameter > len(parameters) {
		return nil
	}
	return parameters[v.parameter-1]
}

// use notes that an attribute is used.
func (s *statementShape) use(name string, of Use) {
	d := Detail{Attributes: s.uses}
	d.attribute(len(s.uses), 0, []byte(name), of, 0, 1)
	s.uses = d.Attributes
}

// shapeOf is what a statement is on a table with these keys; nil: they are not known.
func shapeOf(o *expr.Outline, keys *tableKeys) *statementShape {
	s := new(statementShape)
	if o.Returning != 0 {
		s.asks |= Returned
		s.after = o.Returning == expr.ReturningAllNew
	}
	switch o.Verb {
	case expr.VerbSelect:
		s.selects(o, keys)
	case expr.VerbInsert:
		s.inserts(o, keys)
	default:
		s.changes(o, keys)
	}
	return s
}

// equalities are the values that a condition compares these attributes with by =, in their order; nil if not all of them. rest is
// how many terms it has beside them.
func equalities(o *expr.Outline, names ...string) (values []namedValue, rest []expr.OutlineTerm) {
	values = make([]namedValue, len(names))
	found := 0
	for _, t := range o.Terms {
		i := slices.Index(names, t.Attribute)
		if i < 0 || t.Value.IsZero() || values[i].name != "" {
			rest = append(rest, t)
			continue
		}
		values[i] = valueFor(t.Attribute, t.Value)
		found++
	}
	if found < len(names) || found == 0 {
		return nil, o.Terms
	}
	return values, rest
}

// keyNames are the attributes of a table's key.
func (k *tableKeys) keyNames() []string {
	if k.sort == "" {
		return []string{k.partition}
	}
	return []string{k.partition, k.sort}
}

// whole takes the key of one item out of the condition, and is what is left of it; false if it has none.
func (s *statementShape) whole(o *expr.Outline, keys *tableKeys) (rest []expr.OutlineTerm, is bool) {
	if keys == nil || keys.half {
		return nil, false
	}
	key, rest := equalities(o, keys.keyNames()...)
	if key == nil {
		return nil, false
	}
	s.partition, s.item, s.fields = key[:1:1], key, key
	return rest, true
}

func (s *statementShape) selects(o *expr.Outline, keys *tableKeys) {
	s.action = "Get"
	if o.Columns != nil {
		s.asks |= Projected
	}
	for _, name := range o.Columns {
		s.use(name, Asked)
	}
	if o.Index == "" {
		if rest, is := s.whole(o, keys); is && len(rest) == 0 {
			s.does, s.kind = "GetItem", getCall
			return
		}
		s.partition, s.item, s.fields = nil, nil, nil
	}
	var partition, sort []string
	if keys != nil {
		partition, sort = keys.partitionOf(o.Index), keys.sortOf(o.Index)
	}
	rest := o.Terms
	switch {
	case len(o.Terms) == 0:
		s.does, s.kind = "Scan", scanCall
	case len(partition) == 0:
		return
	case o.Leads(partition):
		s.does, s.kind = "Query", queryCall
		if s.partition, rest = equalities(o, partition...); s.partition == nil {
			break
		}
		for _, name := range partition {
			s.use(name, Keyed)
		}
		rest = slices.DeleteFunc(slices.Clone(rest), func(t expr.OutlineTerm) bool {
			leads := t.Op != 0 && slices.Contains(sort, t.Attribute)
			if leads {
				s.use(t.Attribute, Keyed)
			}
			return leads
		})
	default:
		s.does, s.kind = "Scan", scanCall
	}
	if len(rest) > 0 {
		s.asks |= Filtered
	}
	for _, t := range rest {
		of := Sifted
		if t.Equal {
			of = Equal
		}
		s.useAll(t.Names, of)
	}
}

func (s *statementShape) useAll(names []string, of Use) {
	for _, name := range names {
		s.use(name, of)
	}
}

// inserts: there must be no such item yet, which is a condition.
func (s *statementShape) inserts(o *expr.Outline, keys *tableKeys) {
	s.does, s.kind, s.action, s.puts = "PutItem", putCall, "Put", true
	s.asks |= Conditional | Inserted
	for _, f := range o.Fields {
		s.fields = append(s.fields, valueFor(f.Attribute, f.Value))
	}
	if keys == nil || keys.half {
		return
	}
	s.use(keys.partition, Tested)
	for _, name := range keys.keyNames() {
		i := slices.IndexFunc(s.fields, func(v namedValue) bool { return v.name == name })
		if i < 0 {
			s.item = nil
			return
		}
		s.item = append(s.item, s.fields[i])
	}
	s.partition = s.item[:1:1]
}

// changes is of UPDATE and DELETE, and of EXISTS in a transaction. What WHERE asks for beside the key is a condition.
func (s *statementShape) changes(o *expr.Outline, keys *tableKeys) {
	switch o.Verb {
	case expr.VerbUpdate:
		s.does, s.kind, s.action = "UpdateItem", updateCall, "Update"
	case expr.VerbDelete:
		s.does, s.kind, s.action = "DeleteItem", deleteCall, "Delete"
	default:
		s.action = "ConditionCheck"
	}
	if rest, is := s.whole(o, keys); is && len(rest) > 0 {
		s.asks |= Conditional
		for _, t := range rest {
			s.useAll(t.Names, Tested)
		}
	}
	for _, f := range o.Fields {
		s.use(f.Attribute, Written)
		if f.Computed {
			s.use(f.Attribute, Reckoned)
		} else {
			s.useAll(f.Names, Reckoned)
		}
		if v := valueFor(f.Attribute, f.Value); !f.Path && !f.Value.IsZero() {
			s.sets = append(s.sets, v)
		}
	}
}
