package engine

import (
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
	q.from, q.to = bounds(condition)
	q.single = q.index == nil && len(condition.Equal()) == len(q.table.key.Range)
	if in.StartKey != nil {
		if err := q.queryStart(condition); err != nil {
			return nil, err
		}
	}
	if err := q.table.checkPaths(q.projection); err != nil {
		return nil, err
	}
	if err := q.checkFilter(len(in.QueryFilter) > 0); err != nil {
		return nil, err
	}
	if err := q.table.checkPaths(q.filter); err != nil {
		return nil, err
	}
	if err := q.checkProjected(true); err != nil {
		return nil, err
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

// queryStart checks the cursor against the key condition and goes on behind it. Texts and order are those catalogued on AWS
// by the authors of dynalite: the condition on the sort key is told first.
func (q *reading) queryStart(condition *expr.KeyCondition) error {
	if !q.checkStart() {
		return wire.Invalid("The provided starting key is invalid")
	}
	if !condition.MatchRange(q.in.StartKey.Item) {
		return wire.Invalid("The provided starting key does not match the range key predicate")
	}
	if q.single && len(condition.Equal()) > 0 {
		return wire.Invalid("The query can return at most one row and cannot be restarted")
	}
	if !condition.Match(q.in.StartKey.Item) {
		return wire.Invalid("The provided starting key is outside query boundaries based on provided conditions")
	}
	q.resume(q.startAt())
	return nil
}
