package engine

import (
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/wire"
)

// action is one action of a transaction, read and checked as far as that goes without the stored item.
type action struct {
	in        *wire.Action
	update    *expr.Update
	condition *expr.Condition
	after     stored // of a put
	table     *table
	key       []byte
	failure   func(before *image) *wire.Error // of the condition; nil: as of all operations on items
}

func (e *session) transactWriteItems(body []byte) ([]byte, error) {
	in, err := wire.DecodeTransactWriteItems(body)
	if err != nil {
		return nil, err
	}
	actions := make([]action, len(in.Actions))
	for i := range actions {
		actions[i].in = &in.Actions[i]
		if err := actions[i].static(); err != nil {
			return nil, err
		}
	}
	before := newReasons(len(actions))
	if err := e.findActions(actions, before); err != nil {
		return nil, err
	}
	out, err := e.transact(actions, before, clientToken{in.Token, digest(in)}, &in.Report)
	if err != nil {
		return nil, err
	}
	return out.Append(nil), nil
}

// transact carries out a transaction of writes, all of it or nothing, at most once for each token. before is what speaks
// against its actions already: they are refused together with what else is found.
func (e *session) transact(actions []action, before *reasons, token clientToken, report *wire.Report) (out wire.TransactWriteItemsOutput, err error) {
	if token.text != "" {
		leave, err := e.inFlight.tokens.enter(e.ctx, string(e.tokenKey(token.text)))
		if err != nil {
			return out, err
		}
		defer leave()
		if replayed, err := e.replay(token, report, &out); replayed || err != nil {
			return out, err
		}
	}
	release := e.inFlight.take(actions, before)
	defer release()
	if err := e.wait(); err != nil {
		return out, err
	}
	if err := e.admitActions(actions, before); err != nil {
		return out, err
	}
	if before.failed { // nothing is written: it need not wait for those who write
		return out, e.store.View(func(r kv.Reader) error {
			changes, err := evaluate(e, r, e.shown, actions, before)
			e.cancelled(r, actions, changes, err)
			return err
		})
	}
	err = e.store.Update(func(w kv.Writer) error {
		out = wire.TransactWriteItemsOutput{}
		changes, err := evaluate(e, w, e.current, actions, before)
		if err != nil {
			e.cancelled(w, actions, changes, err)
			return err
		}
		m := meter{mode: report.ConsumedCapacity, transactional: wire.Writes}
		written := changes[:0:0]
		for i := range changes {
			if actions[i].in.Verb == wire.VerbCheck {
				if m.wanted() {
					m.of(changes[i].table).table += float64(capacity.ConditionCheck(changes[i].before.stored.size()))
				}
				e.consumedFailing(w, &changes[i]) // as much as a write of the item as it is
				continue
			}
			written = append(written, changes[i])
		}
		e.remember(w, token, changes)
		out.Metrics = applyAll(e.Engine, w, written, &m, report.ItemCollectionMetrics)
		out.ConsumedCapacity = m.list()
		return nil
	})
	return out, err
}

// failed is the answer of a condition that does not hold.
func (a *action) failed(before *image) *wire.Error {
	if a.failure != nil {
		return a.failure(before)
	}
	return failed(&a.in.Condition, before)
}

// static does the checks before the table is known.
func (a *action) static() *wire.Error {
	in := a.in
	switch in.Verb {
	case wire.VerbNone:
		return wire.Invalid("Invalid Request: TransactWriteRequest should contain Delete or Put or Update request")
	case wire.VerbSeveral:
		return wire.Invalid("TransactItems can only contain one of Check, Put, Update or Delete")
	}
	c := in.Condition
	if in.UpdateExpression == nil && c.ConditionExpression == nil {
		// A transaction's Put and Delete take placeholders without an expression (captured on AWS).
		c.Expressions = wire.Expressions{}
	}
	var err *wire.Error
	if in.Verb == wire.VerbUpdate {
		a.update, a.condition, _, err = readUpdate(transacted,
			&wire.UpdateItemInput{Key: in.Item, UpdateExpression: in.UpdateExpression, Condition: c})
		return err
	}
	a.condition, err = transacted.condition(&c, new(wire.Expectations), func() *wire.Error {
		if err := plain.attributes(&in.Item); err != nil {
			return err
		}
		if in.Verb == wire.VerbPut {
			a.after = store(in.Item.Item)
			return plain.tooLarge(a.after, in.Item.Item)
		}
		return nil
	})
	return err
}

// findActions looks for the tables and checks keys: some mistakes refuse the request, others cancel the transaction
// (captured on AWS).
func (e *session) findActions(actions []action, before *reasons) error {
	for i := range actions {
		var err error
		if actions[i].table, err = e.lookup(actions[i].in.TableName); err != nil {
			return err
		}
	}
	seen := map[string]bool{}
	var sum capacity.Bytes
	for i := range actions {
		a := &actions[i]
		t := a.table
		item := a.in.Item.Item
		var wrong *wire.Error
		for _, k := range attributesOf(t.key) { // an empty key is the only mistake in a key that does not just cancel
			if v := item.Get(k.Name); v.Kind() == k.Kind && (a.in.Verb == wire.VerbPut || item.Len() == len(t.names)) {
				if err := emptyKey(v, k.Name); err != nil {
					return err
				}
			}
		}
		if a.in.Verb == wire.VerbPut {
			if wrong = t.checkItemKey(item); wrong == nil {
				if err := t.emptyIndexKeys(a); err != nil {
					return err
				}
			}
		} else {
			wrong = t.checkKey(item)
			if wrong == nil && a.update != nil {
				if wrong = t.checkTouched(a.update); wrong == nil {
					wrong = t.checkLiterals(a.update)
				}
			}
			if wrong == nil && a.in.Verb == wire.VerbUpdate && tooDeep(&a.in.Condition.Expressions) {
				wrong = wire.Invalid(attr.ErrDepth.Error())
			}
		}
		if wrong != nil {
			before.invalid(i, wrong)
			continue
		}
		if a.update != nil || a.condition != nil {
			if err := t.checkPaths(a.update, a.condition); err != nil {
				return err
			}
		}
		a.key = t.itemKey(item)
		id := string(spaceKey(t.space)) + string(a.key)
		if seen[id] {
			return wire.Invalid(severalOnOne)
		}
		seen[id] = true
		if sum += a.after.size(); sum > capacity.TransactionBytes {
			return errTransactionTooLarge
		}
	}
	return nil
}

// emptyIndexKeys refuses a put with an empty index key at once; other faults of index keys cancel.
func (t *table) emptyIndexKeys(a *action) *wire.Error {
	for _, x := range t.indexes {
		for _, k := range attributesOf(x.key) {
			if v := a.in.Item.Get(k.Name); v.Kind() == k.Kind && emptyKind(v) != "" {
				return wire.Invalid(notv + "A value specified for a secondary index key is not supported. " +
					"The AttributeValue for a key attribute cannot contain an empty " + emptyKind(v) + " value. IndexName: " + x.name + ", IndexKey: " + k.Name)
			}
		}
	}
	return nil
}

var errTransactionTooLarge = wire.Invalid("Transaction size has exceeded the maximum allowed size")

// evaluate holds every action to the stored items and computes what it changes. All that speaks against the transaction
// is told at once. current finds tables as they are now: Engine.current in an update, Engine.shown in a view.
func evaluate(e *session, w kv.Reader, current func(*table) (*table, error), actions []action, before *reasons) ([]change, error) {
	reasons := newReasons(len(actions))
	changes := make([]change, len(actions))
	var grown growths
	var sum capacity.Bytes
	for i := range actions {
		a := &actions[i]
		t, err := current(a.table)
		if err != nil {
			return nil, err
		}
		if before.list[i].Code != "None" {
			reasons.failed = true
			reasons.list[i] = before.list[i]
			continue
		}
		sum += a.after.size() // of a put
		c := &changes[i]
		*c = change{table: t, key: a.key, before: imageOf(w, t, a.key), transacted: true}
		if a.in.Verb == wire.VerbPut { // what the item itself has wrong is told before the condition, as in PutItem
			c.after, c.item = a.after, a.in.Item.Item
			if err := c.check(false); err != nil {
				reasons.invalid(i, err)
				continue
			}
		}
		if !holds(a.condition, &c.before) {
			reasons.refused(i, a.failed(&c.before))
			continue
		}
		switch a.in.Verb {
		case wire.VerbUpdate:
			if _, err := c.update(a.update, a.in.Item.Item); err != nil {
				reasons.invalid(i, err)
				continue
			}
			if err := plain.longNames(c.after, c.item); err != nil {
				reasons.invalid(i, err)
				continue
			}
			if err := t.emptiedIndexKey(c.before.get(), c.item); err != nil { // refused at once, as in a put
				return nil, err
			}
			sum += c.after.size()
			if err := c.check(true); err != nil {
				reasons.invalid(i, err)
				continue
			}
		case wire.VerbCheck:
			continue
		}
		if err := grown.check(w, c); err != nil {
			reasons.refused(i, err)
			continue
		}
		if err := e.admitIndexes(w, c); err != nil {
			refused := throttledAs(err)
			if refused == nil {
				return nil, err
			}
			reasons.throttled(i, refused)
		}
	}
	if sum > capacity.TransactionBytes {
		return nil, errTransactionTooLarge
	}
	return changes, reasons.err()
}
