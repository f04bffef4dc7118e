package wire_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/wire"
)

func item(v string) attr.Item {
	return attr.ItemOf(attr.Field{Name: "pk", Value: attr.Text(v)})
}

var consumed = wire.ConsumedCapacity{TableName: "tbl", Units: 4.5, Indexes: true, TableUnits: 1.5, Transactional: wire.Writes,
	Local: []wire.IndexUnits{{Name: "lsi", Units: 1}}, Global: []wire.IndexUnits{{Name: "gsi", Units: 2}}}

// TestAnswers: what a server writes a client reads.
func TestAnswers(t *testing.T) {
	same := func(what string, want, got any, err error) {
		t.Helper()
		if err != nil || !reflect.DeepEqual(want, got) {
			t.Errorf("%s: wrote %+v, read %+v, %v", what, want, got, err)
		}
	}
	raw := wire.RawOf(item("a"))

	get := &wire.GetItemOutput{Item: raw, ConsumedCapacity: &consumed}
	gotGet, err := wire.DecodeGetItemOutput(get.Append(nil))
	same("GetItem", get, gotGet, err)
	gotGet, err = wire.DecodeGetItemOutput([]byte("{}"))
	same("GetItem of nothing", &wire.GetItemOutput{}, gotGet, err)

	write := &wire.WriteOutput{Attributes: raw, ConsumedCapacity: &consumed, Metrics: &wire.ItemCollectionMetrics{Key: raw, Gigabytes: [2]float64{0, 1}}}
	gotWrite, err := wire.DecodeWriteOutput(write.Append(nil))
	same("PutItem", write, gotWrite, err)

	var list wire.RawList
	list.Add(raw)
	list.AddItem(item("b, \"c\""))
	list.AddItem(attr.Item{})
	read := &wire.ReadOutput{Items: &list, Count: 3, Scanned: 7, LastKey: raw, ConsumedCapacity: &consumed}
	gotRead, err := wire.DecodeReadOutput(read.Append(nil))
	if err != nil || gotRead.Items.Len() != 3 || gotRead.Count != 3 || gotRead.Scanned != 7 || string(gotRead.LastKey) != string(raw) {
		t.Errorf("Query: %+v, %v", gotRead, err)
	}
	var texts []string
	for r := range gotRead.Items.All() {
		texts = append(texts, string(r))
	}
	if want := []string{`{"pk":{"S":"a"}}`, `{"pk":{"S":"b, \"c\""}}`, `{}`}; !slices.Equal(texts, want) {
		t.Errorf("items %q", texts)
	}
	for r := range gotRead.Items.All() {
		it, err := r.Item()
		if err != nil || !attr.EqualItems(it, item("a")) {
			t.Errorf("%v, %v", it, err)
		}
		break // stops
	}
	count := &wire.ReadOutput{Count: 2, Scanned: 2}
	gotRead, err = wire.DecodeReadOutput(count.Append(nil))
	same("count", count, gotRead, err)

	batch := &wire.BatchWriteItemOutput{Unprocessed: []wire.WritesOfTable{{TableName: "tbl", Writes: []wire.BatchWrite{{Put: &wire.Attributes{Item: item("a")}}, {Delete: &wire.Attributes{Item: item("b")}}}}},
		ConsumedCapacity: []wire.ConsumedCapacity{consumed}}
	gotBatch, err := wire.DecodeBatchWriteItemOutput(batch.Append(nil))
	same("BatchWriteItem", batch, gotBatch, err)

	found := &wire.BatchGetItemOutput{Responses: []wire.ItemsOfTable{{TableName: "tbl", Items: list}}, Unprocessed: []wire.KeysOfTable{{TableName: "tbl", Keys: []wire.Attributes{{Item: item("z")}}, ConsistentRead: true}}}
	gotFound, err := wire.DecodeBatchGetItemOutput(found.Append(nil))
	if err != nil || len(gotFound.Responses) != 1 || gotFound.Responses[0].Items.Len() != 3 || !reflect.DeepEqual(gotFound.Unprocessed, found.Unprocessed) {
		t.Errorf("BatchGetItem: %+v, %v", gotFound, err)
	}

	both := &wire.TransactGetItemsOutput{Items: []wire.Raw{raw, nil}, ConsumedCapacity: []wire.ConsumedCapacity{consumed}}
	gotBoth, err := wire.DecodeTransactGetItemsOutput(both.Append(nil))
	same("TransactGetItems", both, gotBoth, err)

	table := &wire.TableOutput{Table: wire.TableDescription{TableName: "tbl", Status: "ACTIVE", Created: 1.5, Key: []wire.KeyElement{{Name: "pk", Type: "HASH"}},
		Global: []wire.IndexDescription{{Name: "gsi", Status: "ACTIVE", Projection: &wire.Projection{Type: "ALL"}}}}}
	for _, described := range []bool{true, false} {
		gotTable, err := wire.DecodeTableOutput(table.Append(nil, described))
		same("DescribeTable", table, gotTable, err)
	}
}

func TestErrors(t *testing.T) {
	raw := wire.RawOf(item("a"))
	for _, e := range []*wire.Error{
		{Code: wire.CodeConditionFailed, Message: "The conditional request failed", Item: raw},
		{Code: wire.CodeSerialization},
		{Code: wire.CodeThroughputExceeded, Message: "busy", Throttling: []wire.ThrottlingReason{{Reason: "TableReadProvisionedThroughputExceeded", Resource: "arn"}}},
		{Code: wire.CodeTransactionCanceled, Message: "cancelled", Reasons: []wire.CancellationReason{{Code: "None"}, {Code: "ConditionalCheckFailed", Message: "no", Item: raw}}},
	} {
		text := e.Append(nil)
		got := wire.DecodeError(400, text)
		e.Status = 400
		if !reflect.DeepEqual(e, got) {
			t.Errorf("%s is read as %+v", text, got)
		}
	}
	if got := wire.DecodeError(502, []byte("<html>Bad Gateway</html>")); got.Code != "HTTP 502" || !got.Retryable() {
		t.Errorf("a proxy's page: %+v", got)
	}
}

func TestKinds(t *testing.T) {
	kinds := []error{wire.ErrNotFound, wire.ErrExists, wire.ErrConditionFailed, wire.ErrStale, wire.ErrCancelled, wire.ErrConflict, wire.ErrThrottled,
		wire.ErrInvalid, wire.ErrTokenUsed, wire.ErrLimit, wire.ErrCursor, wire.ErrSeveral, wire.ErrUnknownOutcome}
	reasons := func(codes ...string) (l []wire.CancellationReason) {
		for _, c := range codes {
			l = append(l, wire.CancellationReason{Code: c})
		}
		return l
	}
	for _, c := range []struct {
		err       *wire.Error
		kinds     []error
		retryable bool
	}{
		{wire.Invalid("x"), []error{wire.ErrInvalid}, false},
		{wire.NewError(wire.CodeIdempotentMismatch, ""), []error{wire.ErrInvalid, wire.ErrTokenUsed}, false},
		{wire.NewError(wire.CodeConditionFailed, ""), []error{wire.ErrConditionFailed}, false},
		{wire.NewError(wire.CodeResourceNotFound, ""), nil, false}, // a missing table is not a missing item
		{wire.NewError(wire.CodeResourceInUse, "Table already exists: t"), []error{wire.ErrExists}, false},
		{wire.NewError(wire.CodeResourceInUse, "Attempt to change a resource which is still in use"), nil, false},
		{wire.NewError(wire.CodeThroughputExceeded, ""), []error{wire.ErrThrottled}, true},
		{wire.NewError(wire.CodeTransactionConflict, ""), []error{wire.ErrConflict}, true},
		{wire.NewError(wire.CodeCollectionSizeExceeded, ""), []error{wire.ErrLimit}, false},
		{wire.NewError(wire.CodeInternal, ""), nil, true},
		{&wire.Error{Code: wire.CodeTransactionCanceled, Reasons: reasons("None", "TransactionConflict")}, []error{wire.ErrCancelled, wire.ErrConflict}, true},
		{&wire.Error{Code: wire.CodeTransactionCanceled, Reasons: reasons("ConditionalCheckFailed", "TransactionConflict")}, []error{wire.ErrCancelled, wire.ErrConflict, wire.ErrConditionFailed}, false},
		{&wire.Error{Code: wire.CodeTransactionCanceled, Reasons: reasons("None", "ValidationError")}, []error{wire.ErrCancelled, wire.ErrInvalid}, false},
	} {
		for _, k := range kinds {
			if got := errors.Is(c.err, k); got != slices.Contains(c.kinds, k) {
				t.Errorf("%v: is %v: %v", c.err, k, got)
			}
		}
		if c.err.Retryable() != c.retryable {
			t.Errorf("%v: retryable %v", c.err, !c.retryable)
		}
	}
}
