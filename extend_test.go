package tablewright_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/schema"
	"github.com/tablewright/tablewright/wire"
)

// Operations without a method are sent as everything else: over HTTP too, those of streams to their own targets, with
// units asked for only where there are any.
func TestSend(t *testing.T) {
	for name, opened := range map[string]func(testing.TB, tablewright.Options, ...*tablewright.Table) *tablewright.DB{"in process": open, "HTTP": overHTTP} {
		t.Run(name, func(t *testing.T) {
			var seen []string
			hook := func(next tablewright.Transport) tablewright.Transport {
				return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
					c.Measure = true
					err := next.Do(ctx, c)
					seen = append(seen, c.Operation+" "+c.Table)
					return err
				})
			}
			prefix := func(name string) string { return "my-" + name }
			db := opened(t, tablewright.Options{Hooks: []tablewright.Hook{hook}, TableName: prefix}, Shop)
			seen = nil
			if got := db.TableName("Shop"); got != "my-Shop" {
				t.Error(got)
			}
			table := must[[]byte](t)(db.Send(t.Context(), "DescribeTable", "Shop", []byte(`{"TableName":"my-Shop"}`)))
			_, rest, _ := strings.Cut(string(table), `"LatestStreamArn":"`)
			arn, _, _ := strings.Cut(rest, `"`)
			in := wire.DescribeStreamInput{ARN: arn}
			answer := must[[]byte](t)(db.Send(t.Context(), "DescribeStream", "Shop", in.Append(nil)))
			out := must[*wire.DescribeStreamOutput](t)(wire.DecodeDescribeStreamOutput(answer))
			if out.Stream.View != "NEW_AND_OLD_IMAGES" || len(out.Stream.Shards) != 1 {
				t.Errorf("%+v", out.Stream)
			}
			must[[]byte](t)(db.Send(t.Context(), "ListTables", "", []byte("{}")))
			_, err := db.Send(t.Context(), "DescribeStream", "Shop", []byte(`{}`))
			isError(t, err, tablewright.ErrInvalid)
			if got := strings.Join(seen, ", "); got != "DescribeTable Shop, DescribeStream Shop, ListTables , DescribeStream Shop" {
				t.Error(got)
			}
		})
	}
}

// A query of an index that is sent as it is, is told as one of that index.
func TestSendNamesIndex(t *testing.T) {
	var seen []string
	hook := func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
			seen = append(seen, c.Operation+" "+c.Table+"."+c.Index)
			return next.Do(ctx, c)
		})
	}
	db := open(t, tablewright.Options{Hooks: []tablewright.Hook{hook}}, Shop)
	seen = nil
	must[[]byte](t)(db.Send(t.Context(), "Scan", "Shop", []byte(`{"TableName":"Shop","IndexName":"ByCustomer"}`)))
	must[[]byte](t)(db.Send(t.Context(), "Scan", "Shop", []byte(`{"TableName":"Shop"}`)))
	if got := strings.Join(seen, ", "); got != "Scan Shop.ByCustomer, Scan Shop." {
		t.Error(got)
	}
}

// What is no description is not sent again after a lost answer.
func TestSendRepeats(t *testing.T) {
	n := 0
	lost := tablewright.TransportFunc(func(context.Context, *tablewright.Call) error { n++; return io.ErrUnexpectedEOF })
	db := tablewright.New(lost, tablewright.Options{Clock: newClock(), Retry: tablewright.Retry{Attempts: 3}})
	for operation, want := range map[string]int{"TagResource": 1, "GetRecords": 3, "DescribeLimits": 3, "ListStreams": 3} {
		n = 0
		_, err := db.Send(t.Context(), operation, "", []byte(` {"A":1} `))
		if err == nil || n != want || errors.Is(err, tablewright.ErrUnknownOutcome) != (want == 1) {
			t.Errorf("%s: %d times, %v", operation, n, err)
		}
	}
	for _, body := range []string{"", "[]", "{", "null"} {
		if _, err := db.Send(t.Context(), "TagResource", "", []byte(body)); !errors.Is(err, tablewright.ErrInvalid) {
			t.Errorf("%q: %v", body, err)
		}
	}
}

// Items that come by another way than a read, and those that go by another way than a write.
func TestEncodeDecode(t *testing.T) {
	order := Order{ID: "o1", Customer: "c1", Status: Paid, PlacedAt: noon, Total: attr.Int(3), Version: 7}
	stored := must[[]byte](t)(Orders.Encode(order))
	it := must[attr.Item](t)(attr.ParseItem(stored))
	if it.Get("PK").Str() != "o#o1" || it.Get("openDay").Str() != "2026-11-21" || it.Get("version").Number() != attr.Int(7) {
		t.Errorf("%s", stored)
	}
	if !Orders.Holds(stored) || Customers.Holds(stored) || !Orders.Holds([]byte(`{"PK":{"S":"o#o9"},"SK":{"S":"o"}}`)) {
		t.Error("an order is an order")
	}
	back := must[Order](t)(Orders.Decode(stored))
	if back.ID != order.ID || back.Version != 7 || !back.PlacedAt.Equal(noon) {
		t.Errorf("%+v", back)
	}
	head := must[OrderHead](t)(OrderHeads.Decode(stored))
	if head != (OrderHead{"o1", Paid}) || OrderHeads.Table() != Shop || Shop.Definition().TTL != "draftUntil" {
		t.Errorf("%+v", head)
	}
	_, err := Orders.Decode([]byte(`{"orderId":{"N":"1"}}`))
	var unread *tablewright.DecodeError
	if !errors.As(err, &unread) || unread.Attribute != "orderId" {
		t.Error(err)
	}
	raw := must[[]byte](t)(Shop.Raw().Encode(it))
	if again := must[attr.Item](t)(attr.ParseItem(raw)); !attr.EqualItems(again, it) {
		t.Errorf("%s", raw)
	}
	if _, err := Orders.Encode(Order{}); err == nil {
		t.Error("an order without an id has no key")
	}
}

// The same without types.
func TestKinds(t *testing.T) {
	var names []string
	for _, k := range Shop.Kinds() {
		names = append(names, k.Name())
	}
	if got := strings.Join(names, " "); got != "Customer Order Shipment Invoice" {
		t.Error(got)
	}
	k := Shop.Kinds()[2]
	stored := must[[]byte](t)(k.Encode(&Shipment{Order: "o1", ID: "s1", Carrier: "DHL"}))
	if typed := must[[]byte](t)(Shipments.Encode(Shipment{Order: "o1", ID: "s1", Carrier: "DHL"})); string(typed) != string(stored) {
		t.Errorf("%s, typed %s", stored, typed)
	}
	if got := must[any](t)(k.Decode(stored)); got != any(Shipment{Order: "o1", ID: "s1", Carrier: "DHL"}) || !k.Holds(stored) || k.Type().Name() != "Shipment" {
		t.Errorf("%+v", got)
	}
	for _, wrong := range []any{nil, Shipment{}, &Order{}} {
		if _, err := k.Encode(wrong); err == nil {
			t.Errorf("%T was taken for a shipment", wrong)
		}
	}
}

// TestEncodeIsPut encodes what Put sends, byte for byte, and refuses what Put does not send.
func TestEncodeIsPut(t *testing.T) {
	item := Checked{ID: "c1", Status: Placed, Mail: "ada@example.org", Name: "Ada", Qty: 3, At: noon, Lines: []CheckedLine{{"s1", 2}}, City: "Oslo"}
	var sent []byte
	db := tablewright.New(tablewright.TransportFunc(func(_ context.Context, c *tablewright.Call) error {
		sent = bytes.Clone(attr.LookupRaw(c.Request, "Item"))
		c.Response = []byte("{}")
		return nil
	}), tablewright.Options{})
	if err := CheckedItems.Put(item).Run(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	stored := must[[]byte](t)(CheckedItems.Encode(item))
	if string(stored) != string(sent) {
		t.Errorf("encoded %s\nput     %s", stored, sent)
	}
	wrong := item
	wrong.Qty = -1
	_, err := CheckedItems.Encode(wrong)
	refused := CheckedItems.Put(wrong).Run(t.Context(), db)
	if e, ok := errors.AsType[*schema.Error](err); !ok || !errors.Is(err, tablewright.ErrInvalid) || refused == nil ||
		strings.TrimPrefix(err.Error(), "tablewright: Encode") != strings.TrimPrefix(refused.Error(), "tablewright: PutItem") {
		t.Errorf("%v %v\n%v", e, err, refused)
	}
}
