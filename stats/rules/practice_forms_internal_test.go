package rules

import (
	"slices"
	"testing"
	"time"

	"github.com/tablewright/tablewright/stats"
)

// TestTimed reads partition keys whose text or number goes up.
func TestTimed(t *testing.T) {
	day := func(y int, m time.Month, d, h int) time.Time { return time.Date(y, m, d, h, 0, 0, 0, time.UTC) }
	for _, c := range []struct {
		key, form string
		at        time.Time
		number    float64 // where there is no time
	}{
		{`{"PK":{"S":"2026-11-22"}}`, "<time>", day(2026, 11, 22, 0), 0},
		{`{"PK":{"S":"log#2026-11-22T14"}}`, "log#<time>", day(2026, 11, 22, 14), 0},
		{`{"PK":{"S":"2026-11"}}`, "<time>", day(2026, 11, 1, 0), 0},
		{`{"PK":{"S":"d7#2026/11/22#x"}}`, "d7#<time>#x", day(2026, 11, 22, 0), 0},
		{`{"PK":{"N":"20261122"}}`, "<time>", day(2026, 11, 22, 0), 0},
		{`{"PK":{"S":"2026-W01"}}`, "<time>", day(2025, 12, 29, 0), 0},
		{`{"PK":{"S":"2026-W47"}}`, "<time>", day(2026, 11, 16, 0), 0},
		{`{"PK":{"N":"1795305600"}}`, "<number>", day(2026, 11, 22, 0), 0},
		{`{"PK":{"S":"order#000123"}}`, "order#<number>", time.Time{}, 123},
		{`{"PK":{"S":"eu7"},"SK":{"S":"batch 12"}}`, "eu7/batch <number>", time.Time{}, 12},
		{`{"PK":{"S":"user"}}`, "", time.Time{}, 0},
		{`{"PK":{"S":"card 1234567890123456789"}}`, "", time.Time{}, 0},
		{"", "", time.Time{}, 0},
	} {
		got, ok := timed(&stats.Key{Key: c.key})
		if ok != (c.form != "") || ok && (got.form != c.form || !got.at.Equal(c.at) || c.number != 0 && got.number != c.number) {
			t.Errorf("%s is %q at %v, %v", c.key, got.form, got.at, got.number)
		}
	}
	tomorrow, today := stats.Key{Table: "T", Key: `{"PK":{"S":"2026-11-23"}}`}, stats.Key{Table: "T", Key: `{"PK":{"S":"2026-11-22"}}`}
	other := stats.Key{Table: "T", Key: `{"PK":{"S":"order#1"}}`}
	if causeOfKey(&today) != causeOfKey(&tomorrow) || causeOfKey(&today) == causeOfKey(&other) {
		t.Error("a key that goes with the date has another cause each day, or that of other keys")
	}
}

// TestShapes takes shapes apart, and compares them as keys of one kind are.
func TestShapes(t *testing.T) {
	for _, c := range []struct {
		shape string
		names []string
		only  bool
	}{
		{"t#{tenant}#r#{region}", []string{"tenant", "region"}, true},
		{"{state}|{at}", []string{"state", "at"}, true},
		{"t#{tenant}#<date>", nil, false},
		{"<word>", nil, false},
		{"config", nil, true},
	} {
		if names, only := references(c.shape); only != c.only || !slices.Equal(names, c.names) {
			t.Errorf("%s is made of %v, %v", c.shape, names, only)
		}
	}
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"user#{id}", "USER#{id}", true},
		{"user#{id}", "user_{id}", true},
		{"user#{id}", "{id}", true},
		{"user#{id}", "u#{id}", true},
		{"user#{id}", "usr#{id}", true},
		{"user#{id}", "sr#{id}", false},
		{"user#{id}", "order#{id}", false},
		{"user#{id}", "user#{id}#{no}", false},
		{"PROFILE", "profile", true},
		{"<word>_<word>", "<Word>.<word>", true}, // one form: what users choose
		{"post#<word>-<word>", "post#<word>", true},
		{"<uuid>", "user#<uuid>", false}, // nothing says that they are of one kind
	} {
		a, b := form(c.a), form(c.b)
		if same := a == b || sameButSpelling(a, b, "", false, false); same != c.same {
			t.Errorf("%s and %s are %s and %s: the same is %v", c.a, c.b, a, b, same)
		}
	}
}

// TestNames reads names of attributes: which are of an item's end, and which say nothing.
func TestNames(t *testing.T) {
	for _, name := range []string{"ttl", "exp", "expires", "expiresAt", "expireAt", "expiration", "expirationTime", "ExpirationDate", "token_expiry", "expires_on", "deleteAt", "deleteAfter",
		"purgeOn", "evictAt", "removeAfter", "keepUntil", "retainUntil", "retentionUntil", "validUntil", "validTo", "timeToLive", "sessionTTL"} {
		if !isExpiry(name) {
			t.Error(name, "is no end")
		}
	}
	for _, name := range []string{"expiredAt", "startsAt", "endsAt", "publishedAt", "dueDate", "lockedUntil", "explored", "extends", "experience", "lifetimeVisits", "title", "shuttle"} {
		if isExpiry(name) {
			t.Error(name, "is an end")
		}
	}
	for _, name := range []string{"data1", "field_2", "attr3", "arg1", "item-2", "value4", "custom1"} {
		if !general.MatchString(name) {
			t.Error(name, "says something")
		}
	}
	for _, name := range []string{"line1", "phone2", "round3", "sha256", "tooth11", "data", "items", "itemCount", "voice1"} {
		if general.MatchString(name) {
			t.Error(name, "says nothing")
		}
	}
}
