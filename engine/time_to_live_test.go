package engine_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/engine/internal/kv"
)

const ttlOn, ttlOff = `{"TableName":"tbl","TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}}`,
	`{"TableName":"tbl","TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":false}}`

// TestWhatExpires: a time is a number of seconds since 1970 at the item's top, less than the time it is and not five years
// less; anything else keeps an item (time-to-live-ttl-before-you-start).
func TestWhatExpires(t *testing.T) {
	c := newClock()
	e := open(t, "", &engine.Options{Clock: c, SweepEvery: -1})
	do(t, e, "CreateTable", hashOnly)
	do(t, e, "UpdateTimeToLive", ttlOn)
	now := c.Now().Unix()
	long := c.Now().AddDate(-5, 0, 0).Unix()
	for value, expires := range map[string]bool{
		fmt.Sprintf(`{"N":"%d"}`, now-1):                true,
		fmt.Sprintf(`{"N":"%d.5"}`, now-1):              true, // half a second ago
		fmt.Sprintf(`{"N":"%dE3"}`, (now-1000)/1000):    true,
		fmt.Sprintf(`{"N":"%d"}`, long):                 true,
		fmt.Sprintf(`{"N":"%d"}`, long-1):               false,
		fmt.Sprintf(`{"N":"%d"}`, now):                  false,
		fmt.Sprintf(`{"N":"%d"}`, now+1):                false,
		fmt.Sprintf(`{"N":"%d000"}`, now-1):             false, // milliseconds: in some 50,000 years
		`{"N":"0"}`:                                     false,
		`{"N":"-1"}`:                                    false,
		`{"N":"9.9999999999999999999999999999999E125"}`: false,
		fmt.Sprintf(`{"S":"%d"}`, now-1):                false,
		fmt.Sprintf(`{"NS":["%d"]}`, now-1):             false,
		fmt.Sprintf(`{"L":[{"N":"%d"}]}`, now-1):        false,
		fmt.Sprintf(`{"M":{"ttl":{"N":"%d"}}}`, now-1):  false,
		`{"NULL":true}`:                                 false,
	} {
		do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"a"},"ttl":%s}}`, value)
		n, err := e.Sweep(t.Context())
		if err != nil || (n == 1) != expires {
			t.Errorf("%s: %d expired, %v", value, n, err)
		}
	}
}

// TestChangedBeforeSweep: a time that is set while a sweep is on its way to the item counts as if it had been there before.
func TestChangedBeforeSweep(t *testing.T) {
	c := newClock()
	s := &interrupted{Store: kv.NewMemory()}
	e := openOn(t, s, &engine.Options{Clock: c, SweepEvery: -1})
	do(t, e, "CreateTable", hashOnly)
	do(t, e, "UpdateTimeToLive", ttlOn)
	put := func(ttl int64) {
		do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"a"},"ttl":{"N":"%d"}}}`, ttl)
	}
	for ttl, want := range map[int64]int{0: 0, c.Now().AddDate(-5, 0, 0).Unix() - 1: 0, c.Now().AddDate(-5, 0, 0).Unix(): 1, c.Now().Unix(): 0} {
		put(c.Now().Unix() - 1)
		s.then = func() { put(ttl) }
		n, err := e.Sweep(t.Context())
		if n != want || err != nil || s.then != nil {
			t.Errorf("time to live %d: %d expired, %v", ttl, n, err)
		}
	}
}

// interrupted is a store with something to do behind the next view.
type interrupted struct {
	kv.Store
	then func()
}

func (s *interrupted) View(f func(kv.Reader) error) error {
	err := s.Store.View(f)
	if then := s.then; then != nil {
		s.then = nil
		then()
	}
	return err
}

// TestExpiryIsTold: the deletion of an expired item is in the stream as the service's, another one of the same kind is not;
// changes that came before the sweep keep the item.
func TestExpiryIsTold(t *testing.T) {
	c := newClock()
	e := open(t, "", &engine.Options{Clock: c, SweepEvery: -1})
	s := streamed(t, e, "NEW_AND_OLD_IMAGES")
	do(t, e, "UpdateTimeToLive", ttlOn)
	for _, pk := range []string{"expires", "deleted", "kept"} {
		do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":%q},"ttl":{"N":"%d"}}}`, pk, c.Now().Unix())
	}
	c.move(time.Minute)
	do(t, e, "DeleteItem", `{"TableName":"tbl","Key":{"pk":{"S":"deleted"}}}`)
	do(t, e, "UpdateItem", `{"TableName":"tbl","Key":{"pk":{"S":"kept"}},"UpdateExpression":"REMOVE #t","ExpressionAttributeNames":{"#t":"ttl"}}`)
	if n, err := e.Sweep(t.Context()); n != 1 || err != nil {
		t.Errorf("%d expired, %v", n, err)
	}
	s.poll(t)
	if len(s.items) != 1 {
		t.Errorf("left: %v", s.items)
	}
	var removed []string
	for _, r := range s.records {
		if r.EventName == "REMOVE" {
			removed = append(removed, fmt.Sprint(string(r.Keys), r.Expired))
		}
	}
	if got, want := strings.Join(removed, " "), `{"pk":{"S":"deleted"}}false {"pk":{"S":"expires"}}true`; got != want {
		t.Errorf("removed %s, want %s", got, want)
	}
	answer := string(s.ask(t, "GetRecords", `{"ShardIterator":%q}`, s.at(t, `"TRIM_HORIZON"`)))
	if want := `"userIdentity":{"PrincipalId":"dynamodb.amazonaws.com","Type":"Service"}`; strings.Count(answer, want) != 1 || strings.Count(answer, "userIdentity") != 1 {
		t.Errorf("%s\nwant once %s", answer, want)
	}
}

// TestSweepLimit: with a limit, a sweep leaves the rest to the next.
func TestSweepLimit(t *testing.T) {
	c := newClock()
	e := open(t, "", &engine.Options{Clock: c, SweepEvery: time.Millisecond, SweepLimit: 1})
	do(t, e, "CreateTable", hashOnly)
	do(t, e, "UpdateTimeToLive", ttlOn)
	for i := range 5 {
		do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"%d"},"ttl":{"N":"%d"}}}`, i, c.Now().Unix())
	}
	c.move(time.Minute)
	seen := map[int]bool{}
	deadline := time.Now().Add(30 * time.Second)
	for n := 5; n > 0 && time.Now().Before(deadline); time.Sleep(100 * time.Microsecond) {
		n = count(t, e, "")
		seen[n] = true
	}
	if !seen[0] {
		t.Error("not all expired")
	}
	if n, err := e.Sweep(t.Context()); n != 0 || err != nil {
		t.Errorf("%d more, %v", n, err)
	}
}

// TestTimeToLiveRests: a table takes one change in an hour, or in the time that is asked for.
func TestTimeToLiveRests(t *testing.T) {
	const refusal = "ValidationException: Time to live has been modified multiple times within a fixed interval"
	for _, x := range []struct {
		option, rest time.Duration
	}{{0, time.Hour}, {time.Minute, time.Minute}, {-1, 0}} {
		c := newClock()
		e := open(t, "", &engine.Options{Clock: c, SweepEvery: -1, TimeToLiveRest: x.option})
		do(t, e, "CreateTable", hashOnly)
		do(t, e, "UpdateTimeToLive", ttlOn)
		if x.rest > 0 {
			c.move(x.rest - time.Nanosecond)
			if _, err := try(e, "UpdateTimeToLive", ttlOff); err == nil || err.Error() != refusal {
				t.Errorf("%v: before its end: %v", x.rest, err)
			}
			c.move(time.Nanosecond)
		}
		do(t, e, "UpdateTimeToLive", ttlOff)
	}
}
