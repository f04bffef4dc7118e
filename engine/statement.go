package engine

import (
	"errors"
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/wire"
)

// PartiQL: package expr makes of a statement the trees that expressions make, and what is written goes the way of all
// writes (write.go). A statement that reads is in statement_select.go.

// partiql is a statement of a request.
type partiql struct {
	*expr.Statement
	in    *wire.Statement
	after stored // INSERT: its item

	// What the table decides; of reads of whole tables, and of what is refused, not all is there.
	table   *table
	keyItem attr.Item
	key     []byte
	rest    *expr.Condition // the condition without the key
}

// readStatement reads a statement and checks what can be checked without tables: the grammar, then the parameters, then what
// the statement means, in the order that DynamoDB Local has.
func readStatement(in *wire.Statement) (*partiql, *expr.Error) {
	refuse := func(err *wire.Error) *expr.Error { return &expr.Error{Kind: expr.PartiQL, Message: err.Message} }
	if in.Bad != nil {
		_, err := expr.ParseStatement(in.Text, nil)
		if broken := (*expr.Error)(nil); errors.As(err, &broken) && broken.Rule == expr.RuleStatement {
			return nil, broken
		}
		return nil, refuse(plain.value(in.Bad))
	}
	parsed, err := expr.ParseStatement(in.Text, in.Parameters)
	if err != nil {
		return nil, err.(*expr.Error) // as ParseStatement promises
	}
	s := &partiql{Statement: parsed, in: in}
	for _, v := range in.Parameters {
		if v.Depth() > attr.MaxDepth {
			return nil, refuse(wire.Invalid(attr.ErrDepth.Error()))
		}
	}
	if s.Verb == expr.VerbInsert {
		if s.Item.Depth() > attr.MaxDepth {
			return nil, refuse(wire.Invalid(attr.ErrDepth.Error()))
		}
		s.after = store(s.Item)
		if err := plain.tooLarge(s.after, s.Item); err != nil {
			return nil, refuse(err)
		}
	}
	return s, nil
}

// find looks for the statement's table. Which of the two texts the service has was captured on AWS (2026).
func (s *partiql) find(e *session) error {
	t, err := e.lookup(s.Table)
	if err == errNoTable && s.Index == "" && e.operation == "ExecuteStatement" {
		return wire.NewError(wire.CodeResourceNotFound, errNoTable.Message+": Table: "+s.Table+" not found")
	}
	s.table = t
	return err
}

// findKey takes the key of the one item that the statement is about out of its item or condition, and checks it.
func (s *partiql) findKey() *wire.Error {
	t := s.table
	s.keyItem = s.Item
	if s.Verb != expr.VerbInsert {
		var err error
		if s.keyItem, s.rest, err = s.Where.Key(t.names); err != nil {
			return plain.refuse(err)
		}
	}
	for _, a := range attributesOf(t.key) {
		switch v := s.keyItem.Get(a.Name); {
		case v.IsZero():
			return wire.Invalid("Key attribute should be present in the item: Key " + a.Name)
		case !scalar(v.Kind()) && (s.Verb == expr.VerbUpdate || s.Verb == expr.VerbDelete):
			return errKeyKind(a.Name, v.Kind())
		case v.Kind() != a.Kind:
			return wrongKeyType(a.Name)
		}
	}
	if err := t.checkKeyValues(s.keyItem); err != nil {
		return err
	}
	s.key = t.itemKey(s.keyItem)
	if err := t.checkTouched(s.Update); err != nil {
		return err
	}
	return t.checkUpdate(s.Update, s.rest)
}

// scalar reports whether a key can have values of a kind at all.
func scalar(k attr.Kind) bool { return k == attr.KindS || k == attr.KindN || k == attr.KindB }

func errKeyKind(name string, k attr.Kind) *wire.Error {
	return wire.Invalid("Key value must be of type S, N, or B. Key name: " + name + ", Key type: " + k.String())
}

// unfitKey is errKeyKind if an UPDATE or DELETE asks for a key of such a kind, which in a transaction is a mistake of the
// request.
func (s *partiql) unfitKey() *wire.Error {
	if s.Verb != expr.VerbUpdate && s.Verb != expr.VerbDelete {
		return nil
	}
	for _, name := range s.table.names {
		if v := s.keyItem.Get(name); !v.IsZero() && !scalar(v.Kind()) {
			return errKeyKind(name, v.Kind())
		}
	}
	return nil
}

func wrongKeyType(name string) *wire.Error {
	return wire.Invalid("Key attribute's data type should match its data type in table's schema: Key " + name)
}

// one reports whether the statement fixes one item by its whole key and asks for nothing else of it. What no key can be
// fixes nothing.
func (s *partiql) one() bool {
	key, rest, err := s.Where.Key(s.table.names)
	if s.Index != "" || err != nil || rest != nil {
		return false
	}
	return !slices.ContainsFunc(s.table.names, func(name string) bool { return !scalar(key.Get(name).Kind()) })
}

// condition is what the write depends on, as a condition of the same write by another operation. A DELETE passes where
// there is no item (captured on AWS), an UPDATE needs one.
func (s *partiql) condition() *expr.Condition {
	there, absent := expr.Exists(expr.Name(s.table.names[0])), expr.NotExists(expr.Name(s.table.names[0]))
	switch {
	case s.Verb == expr.VerbInsert:
		return absent
	case s.Verb == expr.VerbDelete && s.rest == nil:
		return nil
	case s.Verb == expr.VerbDelete:
		return expr.Or(absent, s.rest)
	}
	return expr.And(there, s.rest)
}

var errDuplicate = wire.NewError(wire.CodeDuplicateItem, "Duplicate primary key exists in table")

// failure is the answer of a condition that does not hold.
func (s *partiql) failure(before *image) *wire.Error {
	if s.Verb == expr.VerbInsert {
		return errDuplicate
	}
	return failed(&wire.Condition{ReturnOnFailure: s.in.ReturnOnFailure}, before)
}

// change computes what a writing statement changes, within an update. Of a statement that is refused it has what the item
// was and would have been.
func (s *partiql) change(e *session, r kv.Reader) (c change, returned wire.Raw, err error) {
	t, err := e.current(s.table)
	if err != nil {
		return c, nil, err
	}
	c = change{table: t, key: s.key, before: imageOf(r, t, s.key)}
	if s.Verb == expr.VerbInsert {
		c.after, c.item = s.after, s.Item
		if err := c.check(false); err != nil {
			return c, nil, err
		}
	}
	if !holds(s.condition(), &c.before) {
		e.consumedFailing(r, &c)
		return c, nil, s.failure(&c.before)
	}
	if s.Verb == expr.VerbUpdate {
		written, refused := c.update(s.Update, s.keyItem)
		if refused == nil {
			refused = plain.longNames(c.after, c.item)
		}
		if refused == nil {
			refused = c.check(true)
		}
		if refused != nil {
			return c, nil, refused
		}
		returned = s.returned(&c, written)
	} else if s.Returning == expr.ReturningAllOld {
		returned = cloneJSON(c.before.stored)
	}
	return c, returned, nil
}

// returned is what RETURNING asks for of an update; nil if that is nothing.
func (s *partiql) returned(c *change, written []expr.Path) wire.Raw {
	switch s.Returning {
	case expr.ReturningAllOld:
		return cloneJSON(c.before.stored)
	case expr.ReturningAllNew:
		return cloneJSON(c.after)
	case expr.ReturningModifiedOld:
		return some(expr.Pick(c.before.get(), s.Update.Touched()))
	case expr.ReturningModifiedNew:
		return some(expr.Pick(c.item, written))
	}
	return nil
}

func cloneJSON(s stored) wire.Raw { return append(wire.Raw(nil), s.json()...) }

// attempted is what a write consumes of the table that failed by its condition: the larger of what is stored and what was
// to be (measured on AWS).
func (c *change) attempted() capacity.WriteUnits {
	return capacity.Write(c.before.stored.size(), c.after.size())
}
