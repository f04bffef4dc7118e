package sdk_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/wire"
)

// mishaps are what goes wrong with items of the table "faults", by the value of its key pk, before all goes well: it is
// for the client to go on by itself.
var mishaps = map[string]engine.Fault{
	"throttled":  {Operation: "PutItem", Throttle: true, Times: 2},
	"refused":    {Operation: "GetItem", Err: wire.NewError(wire.CodeThrottling, "Rate of requests exceeds the allowed throughput."), Times: 1},
	"broken":     {Operation: "PutItem", Err: wire.NewError(wire.CodeInternal, "The request processing has failed because of an unknown error."), Times: 1},
	"lost":       {Operation: "PutItem", DropAnswer: true, Times: 1},
	"left-over":  {Operation: "BatchWriteItem", Throttle: true, Times: 1},
	"left-out":   {Operation: "BatchGetItem", Throttle: true, Times: 1},
	"cancelled":  {Operation: "TransactWriteItems", Throttle: true, Times: 1},
	"conflicted": {Operation: "UpdateItem", Err: wire.NewError(wire.CodeTransactionConflict, "Transaction is ongoing for the item"), Times: 1},
}

// startFaulty serves an engine with the mishaps, all of which have to be met until the test is over. Items of which the key
// is "always" can never be put. The first answer that has the text "genuine" is changed on its way.
func startFaulty(t *testing.T) (url string) {
	t.Helper()
	e, err := engine.Open("", &engine.Options{SweepEvery: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	var met []*engine.Injected
	for pk, f := range mishaps {
		f.Table, f.Key = "faults", `{"pk":{"S":"`+pk+`"}}`
		met = append(met, e.Inject(f))
	}
	met = append(met, e.Inject(engine.Fault{Operation: "PutItem", Table: "faults", Key: `{"pk":{"S":"always"}}`, Throttle: true}))
	spoil := true
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Amz-Target") != "DynamoDB_20120810.GetItem" {
			e.Handler().ServeHTTP(w, r)
			return
		}
		recorded := httptest.NewRecorder()
		e.Handler().ServeHTTP(recorded, r)
		body := recorded.Body.Bytes()
		if i := bytes.Index(body, []byte("genuine")); i >= 0 && spoil {
			spoil = false // one request at a time asks for it
			body[i] = 'G'
		}
		for k, v := range recorded.Header() {
			w.Header()[k] = v
		}
		w.WriteHeader(recorded.Code)
		_, _ = w.Write(body)
	}))
	t.Cleanup(func() {
		server.Close()
		noteEngine(t, e)
		for _, i := range met {
			if i.Met() < max(i.Times, 1) {
				t.Errorf("%s of %s has been met %d times", i.Operation, i.Key, i.Met())
			}
		}
		if err := e.Check(); err != nil {
			t.Error(err)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return server.URL
}
