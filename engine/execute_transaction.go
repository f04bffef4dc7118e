package engine

import (
	"crypto/sha256"
	"strconv"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/wire"
)

func (e *session) executeTransaction(body []byte) ([]byte, error) {
	in, err := wire.DecodeExecuteTransaction(body)
	if err != nil {
		return nil, err
	}
	list := make([]*partiql, len(in.Statements))
	reads, writes := false, false
	for i := range list {
		s, refused := readStatement(&in.Statements[i])
		if refused != nil {
			if refused.Rule == expr.RuleStatement || refused.Rule == expr.RuleStatementOperation || in.Statements[i].Bad != nil {
				return nil, plain.refuse(refused)
			}
			return nil, failedIn(i, refused.Message)
		}
		list[i] = s
		reads, writes = reads || !s.Verb.Writes(), writes || s.Verb.Writes()
	}
	if reads && writes {
		return nil, wire.Invalid("ExecuteTransaction API does not support both read and write operations in the same request.")
	}
	if reads {
		return e.transactSelects(list, in.ReturnConsumed)
	}
	actions, before, err := e.transactActions(list)
	if err != nil {
		return nil, err
	}
	same := wire.ExecuteTransactionInput{Statements: in.Statements}
	written, err := e.transact(actions, before, clientToken{in.Token, sha256.Sum256(same.Append(nil))}, &wire.Report{ConsumedCapacity: in.ReturnConsumed})
	if err != nil {
		return nil, err
	}
	out := wire.ExecuteTransactionOutput{ConsumedCapacity: written.ConsumedCapacity}
	return out.Append(nil), nil
}

// failedIn refuses the whole transaction for what is wrong with statement i.
func failedIn(i int, message string) *wire.Error {
	return wire.Invalid("Validation failed in TransactStatements[" + strconv.Itoa(i) + "]: " + message)
}

// transactSelects reads one item for each statement.
func (e *session) transactSelects(list []*partiql, mode string) ([]byte, error) {
	g := transactGets{mode: mode, project: func(i int, s stored) wire.Raw { return list[i].selected(s) }}
	reasons := newReasons(len(list))
	seen := map[string]bool{}
	for i, s := range list {
		if s.Index != "" {
			return nil, failedIn(i, "Reads on indices are not supported within transactions.")
		}
		if err := s.find(e); err != nil {
			return nil, err
		}
		if !s.one() {
			return nil, failedIn(i, "Select statements within ExecuteTransaction must specify the primary key in the where clause.")
		}
		if err := s.findKey(); err != nil {
			reasons.invalid(i, err)
		} else if id := string(spaceKey(s.table.space)) + string(s.key); seen[id] {
			return nil, wire.Invalid(severalOnOne)
		} else {
			seen[id] = true
		}
		g.tables, g.keys = append(g.tables, s.table), append(g.keys, s.key)
	}
	items, consumed, err := g.run(e, reasons)
	if err != nil {
		return nil, err
	}
	out := wire.ExecuteTransactionOutput{Items: items, ConsumedCapacity: consumed}
	return out.Append(nil), nil
}

// transactActions makes the statements actions of a transaction. Some mistakes refuse the request, others cancel it, as for
// TransactWriteItems.
func (e *session) transactActions(list []*partiql) ([]action, *reasons, error) {
	actions, before := make([]action, len(list)), newReasons(len(list))
	seen := map[string]bool{}
	var sum capacity.Bytes
	for i, s := range list {
		if err := s.transactable(); err != "" {
			return nil, nil, failedIn(i, err)
		}
		if err := s.find(e); err != nil {
			return nil, nil, err
		}
		refused := s.findKey()
		if s.Verb == expr.VerbExists && (refused == nil && s.rest == nil || s.key == nil && s.keyItem.Len() < len(s.table.names)) {
			return nil, nil, failedIn(i, "EXISTS() must contain a single item read with additional condition")
		}
		actions[i] = s.action()
		if refused != nil {
			if unfit := s.unfitKey(); unfit != nil {
				return nil, nil, failedIn(i, unfit.Message)
			}
			if s.emptyKey() {
				return nil, nil, refused
			}
			before.invalid(i, refused)
			continue
		}
		id := string(spaceKey(s.table.space)) + string(s.key)
		if seen[id] {
			return nil, nil, wire.Invalid(severalOnOne)
		}
		seen[id] = true
		if sum += s.after.size(); sum > capacity.TransactionBytes {
			return nil, nil, errTransactionTooLarge
		}
	}
	return actions, before, nil
}

// transactable is why a transaction refuses the statement whatever its table; empty if it does not.
func (s *partiql) transactable() string {
	switch {
	case s.Returning != 0:
		return "RETURNING clause is not supported in ExecuteTransaction."
	case s.Index != "":
		return "Operations on indices are not supported in transactions"
	}
	return ""
}

// emptyKey reports whether a key attribute is empty, which refuses the request at once.
func (s *partiql) emptyKey() bool {
	for _, name := range s.table.names {
		if emptyKind(s.keyItem.Get(name)) != "" {
			return true
		}
	}
	return false
}

// action is what a transaction does for the statement.
func (s *partiql) action() action {
	verbs := map[expr.Verb]wire.Verb{
		expr.VerbInsert: wire.VerbPut, expr.VerbUpdate: wire.VerbUpdate, expr.VerbDelete: wire.VerbDelete, expr.VerbExists: wire.VerbCheck,
	}
	return action{
		in: &wire.Action{Verb: verbs[s.Verb], TableName: s.Table, Item: wire.Of(s.keyItem),
			Condition: wire.Condition{ReturnOnFailure: s.in.ReturnOnFailure}},
		update: s.Update, condition: s.condition(), after: s.after, table: s.table, key: s.key, failure: s.failure,
	}
}
