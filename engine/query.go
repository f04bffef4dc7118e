package engine

import (
	"bytes"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/wire"
)

func (e *session) query(body []byte) ([]byte, error) {
	in, err := wire.DecodeQuery(body)
	if err != nil {
		return nil, err
	}
	q := reading{in: &in.Reading, backward: in.ScanIndexForward != nil && !*in.ScanIndexForward}
	wanted := question{query: true, key: in.KeyConditionExpression, keys: in.KeyConditions, filterName: "QueryFilter", filter: in.QueryFilter}
	key, refused := q.static(&wanted, nil)
	if refused != nil {
		return nil, refused
	}
	if err := q.find(e); err != nil {
		return nil, err
	}
	if err := checkKeyOperators(in.KeyConditions, q.schema()); err != nil {
		return nil, err
	}
	condition, err := key.For(q.schema())
	if err != nil {
		return nil, plain.refuse(err)
	}
	if err := q.checkFilter(len(in.QueryFilter) > 0); err != nil {
		return nil, err
	}
	if err := q.checkProjected(true); err != nil {
		return nil, err
	}
	q.from, q.to = bounds(condition)
	q.single = q.index == nil && len(condition.Equal()) == len(q.table.key.Range)
	if in.StartKey != nil {
		if err := q.queryStart(condition); err != nil {
			return nil, err
		}
	}
	return q.run(e)
}

// checkFilter refuses a filter on key attributes of what is queried.
func (q *reading) checkFilter(old bool) error {
	if q.filter == nil {
		return nil
	}
	for _, p := range q.filter.Paths() {
		for _, a := range attributesOf(q.schema()) {
			if p.Attribute() == a.Name {
				what := "Filter Expression"
				if old {
					what = "QueryFilter"
				}
				return wire.Invalid(what + " can only contain non-primary key attributes: Primary key attribute: " + a.Name)
			}
		}
	}
	return nil
}

// queryStart checks the cursor against the key condition and goes on behind it.
func (q *reading) queryStart(condition *expr.KeyCondition) error {
	if !q.checkStart() {
		return wire.Invalid("The provided starting key is invalid")
	}
	for i, a := range q.schema().Hash {
		if !attr.Equal(q.in.StartKey.Get(a.Name), condition.Hash()[i]) {
			return wire.Invalid("The provided starting key is outside query boundaries based on provided conditions")
		}
	}
	if q.single {
		return wire.Invalid("The query can return at most one row and cannot be restarted")
	}
	at := q.startAt()
	if bytes.Compare(at, q.from) < 0 || bytes.Compare(at, q.to) >= 0 {
		return wire.Invalid("The provided starting key does not match the range key predicate")
	}
	q.resume(at)
	return nil
}
