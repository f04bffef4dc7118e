package engine

import (
	"errors"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/engine/internal/throttle"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/wire"
)

// A batch of statements reads or writes; each of them succeeds or fails by itself.

func (e *session) batchExecuteStatement(body []byte) ([]byte, error) {
	in, err := wire.DecodeBatchExecuteStatement(body)
	if err != nil {
		return nil, err
	}
	b := statementBatch{e: e, list: make([]*partiql, len(in.Statements)), m: meter{mode: in.ReturnConsumed}}
	b.out.Responses = make([]wire.StatementResponse, len(in.Statements))
	if err := b.read(in.Statements); err != nil {
		return nil, err
	}
	if b.writes {
		err = b.write()
	} else {
		err = b.selectAll()
	}
	if err != nil {
		return nil, err
	}
	b.out.ConsumedCapacity = b.m.list()
	return b.out.Append(nil), nil
}

type statementBatch struct {
	e      *session
	list   []*partiql // nil: refused already
	writes bool
	m      meter
	out    wire.BatchExecuteStatementOutput
}

// read reads all statements and finds their items.
func (b *statementBatch) read(in []wire.Statement) error {
	reads := false
	for i := range in {
		s, refused := readStatement(&in[i])
		if refused != nil && in[i].Bad != nil && refused.Rule != expr.RuleStatement {
			return plain.value(in[i].Bad) // a mistake of the whole request, as on DynamoDB Local
		}
		if refused != nil {
			b.refuse(i, plain.refuse(refused))
			continue
		}
		b.list[i] = s
		reads, b.writes = reads || !s.Verb.Writes(), b.writes || s.Verb.Writes()
	}
	if reads && b.writes {
		return wire.Invalid("Read and write requests together in the same batch is not supported.")
	}
	seen := map[string]bool{}
	for i, s := range b.list {
		if s == nil {
			continue
		}
		if err := b.find(s); err != nil {
			b.refuse(i, err)
			continue
		}
		id := string(spaceKey(s.table.space)) + string(s.key)
		if seen[id] {
			return wire.Invalid(duplicateKeys)
		}
		seen[id] = true
	}
	return nil
}

func (b *statementBatch) find(s *partiql) error {
	if s.Verb == expr.VerbExists {
		return wire.Invalid(existsElsewhere)
	}
	if err := s.find(b.e); err != nil {
		return err
	}
	if s.Verb == expr.VerbSelect && !s.one() { // captured on AWS, 2026
		return wire.Invalid("Select statements within BatchExecuteStatement must specify the primary key in the where clause.")
	}
	if err := s.findKey(); err != nil {
		return err
	}
	return nil
}

// refuse makes an error the response of statement i. Of a condition that failed the table is told, and of a duplicate
// (captured on AWS, 2026).
func (b *statementBatch) refuse(i int, err error) {
	var refused *wire.Error
	if !errors.As(err, &refused) {
		refused = wire.NewError(wire.CodeInternal, err.Error())
	}
	r := &b.out.Responses[i]
	r.Error = &wire.StatementError{Code: shortCode(refused.Code), Message: refused.Message}
	if refused.Code == wire.CodeConditionFailed || refused.Code == wire.CodeDuplicateItem {
		r.TableName = b.list[i].table.name
	}
	b.list[i] = nil
}

// shortCode is what a batch calls the code of an error (API_BatchStatementError).
func shortCode(code string) string {
	switch code {
	case wire.CodeValidation:
		return "ValidationError"
	case wire.CodeThrottling:
		return "ThrottlingError"
	case wire.CodeInternal, wire.CodeRequestLimit:
		return code
	}
	return strings.TrimSuffix(code, "Exception")
}

// selectAll reads one item for each statement.
func (b *statementBatch) selectAll() error {
	return b.e.store.View(func(r kv.Reader) error {
		for i, s := range b.list {
			if s == nil {
				continue
			}
			t, err := b.e.shown(s.table)
			if err != nil {
				b.refuse(i, err)
				continue
			}
			if err := b.e.allow(r, t, nil, throttle.Read, s.key); err != nil {
				b.refuse(i, err)
				continue
			}
			found := stored(r.Get(t.space, s.key))
			units := float64(capacity.Get(found.size(), consistency(s.in.ConsistentRead)))
			if b.m.wanted() {
				b.m.of(t).table += units
			}
			if err := b.e.consumedRead(r, t, nil, units, itemRead{s.key, found.size()}); err != nil {
				return err
			}
			b.out.Responses[i] = wire.StatementResponse{TableName: t.name, Item: s.selected(found)}
		}
		return nil
	})
}

// selected is what a statement of a batch or transaction selects of an item; nil if there is none. Parts of documents stay
// in their places, as in a ProjectionExpression and other than in the rows of ExecuteStatement (seen on DynamoDB Local).
func (s *partiql) selected(found stored) wire.Raw {
	switch {
	case found == nil:
		return nil
	case s.Columns == nil:
		return cloneJSON(found)
	}
	return wire.RawOf(s.Projection().Apply(found.item()))
}

// write carries out the statements that write, in one update: what one of them fails by is told before anything is
// written, and stops no other.
func (b *statementBatch) write() error {
	for i, s := range b.list {
		if s == nil {
			continue
		}
		if b.e.inFlight.begin(s.table.space, s.key, false) {
			defer b.e.inFlight.end(s.table.space, s.key, false)
		} else {
			b.refuse(i, errConflict)
		}
	}
	if err := b.e.wait(); err != nil {
		return err
	}
	begun := append([]*partiql(nil), b.list...)
	responses := append([]wire.StatementResponse(nil), b.out.Responses...)
	return b.e.store.Update(func(w kv.Writer) error {
		copy(b.list, begun) // it may be run again
		copy(b.out.Responses, responses)
		b.m.tables = nil
		changes := make([]change, len(b.list))
		var grown growths
		for i, s := range b.list {
			if s == nil {
				continue
			}
			c, returned, err := s.change(b.e, w)
			if err == nil {
				if refused := grown.check(w, &c); refused != nil {
					err = refused
				}
			}
			if err == nil {
				err = b.e.admitWrite(w, &c)
			}
			changes[i] = c
			if err != nil {
				b.refuse(i, err)
				continue
			}
			b.out.Responses[i] = wire.StatementResponse{TableName: c.table.name, Item: returned}
		}
		for i := range changes {
			if b.list[i] != nil {
				changes[i].apply(b.e.Engine, w)
				b.m.write(changes[i].table, &changes[i].units)
			}
		}
		b.chargeFailed(changes)
		return nil
	})
}

// chargeFailed adds what writes consumed whose condition failed: to the table's total alone, and only where another write
// of the table succeeded (measured on AWS).
func (b *statementBatch) chargeFailed(changes []change) {
	for i := range changes {
		if b.out.Responses[i].Error == nil || b.out.Responses[i].TableName == "" {
			continue
		}
		for _, tm := range b.m.tables {
			if tm.name == b.out.Responses[i].TableName {
				tm.failed += float64(changes[i].attempted())
			}
		}
	}
}
