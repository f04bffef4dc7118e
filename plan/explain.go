package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/spec"
)

// Explanation says in words what a stage asks of DynamoDB, for documents and for people who look into a plan.
type Explanation struct {
	Operation string   // Query, GetItem, TransactWriteItems, …
	Target    string   // Table or Table.Index; "" of a transaction over several tables
	Items     []string // items read or written, by name
	Key       []string // one for each key attribute: PK = "o#" + orderId
	Options   []string // descending, consistent, at most 50 evaluated, once for each of $order.items, …
	Condition []string // what must hold, each with the code of its failure
	Filter    string
	Changes   []string // what is written
	Actions   []Explanation
}

var operations = [...]string{
	"", "GetItem", "BatchGetItem", "Query", "Scan", "PutItem", "UpdateItem", "DeleteItem", "ConditionCheck",
	"TransactWriteItems", "TransactGetItems", "BatchWriteItem",
}

// Operation is the name of DynamoDB's operation.
func (v Verb) Operation() string { return operations[v] }

// Explain says what the stage asks of DynamoDB.
func (s *Stage) Explain() Explanation {
	x := Explanation{Operation: s.Verb.Operation()}
	if s.Embed != nil || (s.Verb == Put || s.Verb == Delete) && s.Kind.Pack != nil {
		x.Operation = Update.Operation()
	}
	option := func(format string, args ...any) { x.Options = append(x.Options, fmt.Sprintf(format, args...)) }
	switch _, narrows := s.Narrows(); {
	case narrows:
		option("once for each of %s that is left", s.Each)
	case s.Each != nil:
		option("once for each of %s", s.Each)
	}
	if s.Scatter > 0 {
		option("in each of %d shards", s.Scatter)
	}
	if s.Scatter < 0 {
		option("in each bucket of %s", s.Document.Scatter)
	}
	if s.Descending {
		option("descending")
	}
	if s.Consistent {
		option("consistent")
	}
	if s.Evaluate > 0 {
		option("at most %d evaluated at a time", s.Evaluate)
	}
	if len(s.project) > 0 {
		option("only %s", strings.Join(s.Document.Project, ", "))
	}
	for _, a := range s.Actions {
		x.Actions = append(x.Actions, a.Explain())
	}
	if len(s.Actions) > 0 {
		return x
	}
	x.Target = s.Access.Name()
	for _, k := range s.found() {
		x.Items = append(x.Items, k.Name)
	}
	if len(x.Items) == 0 && s.Kind != nil {
		x.Items = []string{s.Kind.Name}
		if s.Embed != nil {
			x.Items[0] += "." + s.Embed.Way.Inverse
		}
	}
	switch s.Verb {
	case Query:
		for i := range s.binds {
			x.Key = append(x.Key, s.binds[i].explain())
		}
	case Scan:
	case Put:
		if p := s.Kind.Pack; p != nil {
			x.Changes = append(x.Changes, fmt.Sprintf("%s, under %s", s.valueRef, p.told()))
			if s.each != nil {
				option("those of one item in one update")
			}
			break
		}
		x.Changes = append(x.Changes, "the whole item from "+s.valueRef.String())
		for _, a := range s.with {
			x.Changes = append(x.Changes, a.target.id+" = "+a.value.String())
		}
	default:
		for _, r := range s.Kind.Recipes {
			if r.Key {
				x.Key = append(x.Key, r.Wire.Name+" = "+r.words(func(p *Part) string { return s.keyWord(p) }, len(r.Parts)))
			}
		}
		if p := s.Kind.Pack; p != nil && s.Verb == Delete {
			x.Changes = append(x.Changes, "takes out what is under "+p.told())
			if s.each != nil {
				option("those of one item in one update")
			}
		}
	}
	for _, g := range s.guards {
		x.Condition = append(x.Condition, g.cond.String()+", else "+g.code)
	}
	if s.still != nil {
		x.Condition = append(x.Condition, "still as "+s.still.Name+" found it, or absent; else the call begins anew")
	}
	for _, name := range s.Document.Needs {
		what := " found something, else "
		if slices.ContainsFunc(s.Needs, func(o *Stage) bool { return o.Name == name && s.all[o] }) {
			what = " found all, else "
		}
		x.Condition = append(x.Condition, name+what+RefusedMissing)
	}
	if s.filter != nil {
		x.Filter = s.filter.String()
	}
	for _, a := range s.sets {
		x.Changes = append(x.Changes, a.target.id+" = "+a.value.String())
	}
	for _, a := range s.adds {
		x.Changes = append(x.Changes, a.target.id+" = "+a.target.id+" + "+a.value.String())
	}
	for _, t := range s.removes {
		x.Changes = append(x.Changes, "without "+t.id)
	}
	if s.version != nil {
		x.Changes = append(x.Changes, s.version.Name+" = "+s.version.Name+" + 1")
	}
	for _, r := range s.rewrites {
		x.Changes = append(x.Changes, r.Wire.Name+" anew from "+r.describeText())
	}
	return x
}

// AtClient says what is done with what the steps of a read brought, in the order in which it is done: tests, sorting,
// the cut of a page. Late steps run behind that.
func (p *Procedure) AtClient() (out []string) {
	if p.Pattern.Writes() {
		return nil
	}
	if p.keep != nil {
		out = append(out, "keep "+p.keep.String())
	}
	switch {
	case p.orderOf != nil:
		out = append(out, "in the order of "+p.orderOf.Name)
	case len(p.order) > 0 && !p.native && len(p.Pattern.Aggregates) == 0:
		out = append(out, "sort by "+p.orderText())
	}
	switch {
	case p.Cut:
		out = append(out, fmt.Sprintf("cut a page of %d out of all that was read", p.Page))
	case p.Pattern.Top > 0 && p.topStage == nil && len(out) > 0:
		out = append(out, fmt.Sprintf("the first %d", p.Pattern.Top))
	}
	return out
}

// keyWord is the value a part of a key has.
func (s *Stage) keyWord(p *Part) string {
	if p.Attribute == nil {
		return "shard"
	}
	for _, as := range [][]assign{s.key, s.with} {
		for _, a := range as {
			if same(a.target, s.outer(p.target)) {
				return a.value.String()
			}
		}
	}
	return p.target.id
}

// words writes the first n parts of a template with what they are bound to, and the literal behind them.
func (r *Recipe) words(value func(*Part) string, n int) string {
	var b strings.Builder
	b.WriteString(r.Literals[0])
	for i := range n {
		b.WriteString(value(r.Parts[i]))
		if c := strings.Join(r.Parts[i].Codecs, ":"); c != "" {
			b.WriteString(":" + c)
		}
		b.WriteString(r.Literals[i+1])
	}
	return b.String()
}

// explain says what is asked of one key attribute.
func (b *bind) explain() string {
	r := b.recipes[0]
	i := -1
	value := func(p *Part) string {
		i++
		return word(b.values[i])
	}
	base := r.words(value, len(b.values))
	name := b.wire.Name
	if b.equal {
		return name + " = " + base
	}
	if !b.ranged() {
		switch {
		case len(b.recipes) > 1 && b.shape == coverAll:
			return name + ": all"
		case len(b.recipes) > 1 && b.shape == coverPrefix:
			lit := r.Literals[len(b.values)]
			return name + " begins with " + base[:len(base)-len(lit)+b.common]
		case len(b.recipes) > 1:
			var all []string
			for j, x := range b.recipes {
				i = -1
				own := b.each[j]
				all = append(all, x.words(func(*Part) string { i++; return word(own[i]) }, len(own)))
			}
			return name + " in the smallest range around " + strings.Join(all, ", ")
		case len(b.values) == len(r.Parts):
			return name + " = " + base
		case base == "":
			return name + ": all"
		}
		return name + " begins with " + base
	}
	p := r.Parts[len(b.values)]
	codec := strings.Join(p.Codecs, ":")
	if codec != "" {
		codec = ":" + codec
	}
	if b.prefix != nil {
		return name + " begins with " + base + word(*b.prefix) + codec
	}
	var ends []string
	if b.low != nil {
		op := ">="
		if b.low.open {
			op = ">"
		}
		ends = append(ends, op+" "+base+word(b.low.value)+codec)
	}
	if b.high != nil {
		op := "<="
		if b.high.open {
			op = "<"
		}
		end := op + " " + base + word(b.high.value) + codec
		if !b.high.open && (r.Literals[len(b.values)+1] != "" || len(r.Parts) > len(b.values)+1) {
			end += " and all that goes on from it"
		}
		ends = append(ends, end)
	}
	return name + " " + strings.Join(ends, " and ")
}

func word(v spec.Expr) string {
	if len(v.Reference) == 1 && (v.Reference[0] == refShard || v.Reference[0] == refBucket) {
		return v.Reference[0]
	}
	return v.String()
}
