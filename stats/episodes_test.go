package stats_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/internal/norace"
	"github.com/tablewright/tablewright/stats"
)

// script is what callers do, as events: each on a clock that the script moves.
type script struct {
	c   *stats.Collector
	now int64
	own map[uint64]int64 // callers' own time
}

func newScript(o stats.Options) *script {
	at := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	o.Clock = &settable{at: at}
	return &script{stats.NewCollector(o), at.UnixNano(), map[uint64]int64{}}
}

const ms = int64(time.Millisecond)

// do is a call of a caller that takes 5 ms of the caller's own time, a millisecond after its last one.
func (s *script) do(caller uint64, operation, item string, more ...func(*stats.Event)) {
	start := max(s.now, s.own[caller]+ms)
	e := &stats.Event{Start: start, Took: 5 * time.Millisecond, Operation: operation, Table: "Shop", Pattern: strings.ToLower(operation), Caller: caller, Weight: 1,
		Attempt: 1, Items: 1, Scanned: 1, Units: stats.Reported}
	if item != "" {
		e.Item = stats.KeyID{Hash: hash("Shop/" + item), Text: []byte(item)}
		e.Partition = stats.KeyID{Hash: hash("Shop." + item[:1]), Text: []byte(item[:1])}
	}
	switch operation {
	case "GetItem", "Query", "Scan":
		e.Read = 0.5
	default:
		e.Write, e.Items = 1, 0
	}
	for _, f := range more {
		f(e)
	}
	s.own[caller] = e.Start + int64(e.Took)
	s.c.Record(e)
}

// hash spreads as a Collector's hashes do.
func hash(text string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	return h ^ h>>32 | 1
}

func (s *script) wait(d time.Duration) { s.now += int64(d) }

// settle is what there is after everybody is gone.
func (s *script) settle() map[stats.EpisodeKind]*stats.Episode {
	s.c.Options().Clock.(*settable).at = time.Unix(0, s.now).Add(time.Minute)
	out := map[stats.EpisodeKind]*stats.Episode{}
	for _, e := range s.c.Snapshot().Episodes {
		if o := out[e.Kind]; o != nil {
			o.Count += e.Count
			o.Calls += e.Calls
			continue
		}
		out[e.Kind] = e
	}
	return out
}

func checked(e *stats.Event) { e.Asks |= stats.Conditional }

// several makes a call one of several items.
func several(action string, items ...string) func(*stats.Event) {
	return func(e *stats.Event) {
		e.Table = ""
		for _, item := range items {
			e.Parts = append(e.Parts, stats.Part{Action: action, Table: "Shop", Item: stats.KeyID{Hash: hash("Shop/" + item), Text: []byte(item)},
				Partition: stats.KeyID{Hash: hash("Shop." + item[:1]), Text: []byte(item[:1])}})
		}
	}
}

func returned(e *stats.Event) { e.Asks |= stats.Returned }
func paged(e *stats.Event)    { e.More, e.Item = true, stats.KeyID{} }
func limited(e *stats.Event)  { paged(e); e.Asks |= stats.Limited }
func resumed(e *stats.Event)  { e.Resumed, e.Item = true, stats.KeyID{} }
func last(e *stats.Event)     { e.Item = stats.KeyID{} }
func second(e *stats.Event)   { e.Attempt = 2 }
func refused(e *stats.Event)  { e.Outcome, e.Refused, e.Asks = stats.Refused, 1, stats.Conditional }
func throttled(e *stats.Event) {
	e.Outcome, e.Throttling = stats.Throttled, []stats.Throttle{{}}
}
func strong(e *stats.Event) { e.Detail = &stats.Detail{Weight: 1, Asks: stats.Consistent} }
func pattern(name string) func(*stats.Event) {
	return func(e *stats.Event) { e.Pattern = name }
}
func in(table string) func(*stats.Event) { return func(e *stats.Event) { e.Table = table } }
func later(d time.Duration) func(*stats.Event) {
	return func(e *stats.Event) { e.Start += int64(d) }
}

// at has a call begin at a time of the script's, whatever its caller did before.
func (s *script) at(d time.Duration) func(*stats.Event) {
	return func(e *stats.Event) { e.Start = s.now + int64(d) }
}
func under(keys ...string) func(*stats.Event) {
	return func(e *stats.Event) {
		for _, k := range keys {
			e.Entries = append(e.Entries, hash("ByCustomer."+k))
		}
	}
}
func ofCustomer(key string) func(*stats.Event) {
	return func(e *stats.Event) {
		e.Index, e.Item, e.Partition = "ByCustomer", stats.KeyID{}, stats.KeyID{Hash: hash("ByCustomer." + key), Text: []byte(key)}
	}
}

// Every kind of episodes where it must be seen, and what only looks like it.
func TestEpisodes(t *testing.T) {
	each := func(n int, f func(s *script, caller uint64)) func(*script) {
		return func(s *script) {
			for i := range n {
				f(s, uint64(1000+8*i))
				s.wait(40 * time.Millisecond)
			}
		}
	}
	const get, put, update, query = "GetItem", "PutItem", "UpdateItem", "Query"
	for _, test := range []struct {
		name string
		do   func(s *script)
		want map[stats.EpisodeKind]float64
	}{
		{"gets of two tables in turn", each(10, func(s *script, c uint64) {
			for i := range 4 {
				s.do(c, get, fmt.Sprint("o", c, i))
				s.do(c, get, fmt.Sprint("p", c, i), pattern("product"), in("Products"))
			}
		}), map[stats.EpisodeKind]float64{stats.SingleGets: 20}},
		{"puts to two tables in turn", each(10, func(s *script, c uint64) {
			for i := range 4 {
				s.do(c, put, fmt.Sprint("o", c, i))
				s.do(c, put, fmt.Sprint("p", c, i), in("Products"))
			}
		}), map[stats.EpisodeKind]float64{stats.SinglePuts: 20}},
		{"gets of three tables, each in no order", each(10, func(s *script, c uint64) {
			for i := range 4 {
				s.do(c, get, fmt.Sprint("o", c, i))
				s.do(c, get, fmt.Sprint("p", c, i), pattern("product"), in("Products"))
				s.do(c, get, fmt.Sprint("q", c, i), pattern("place"), in("Places"))
			}
		}), map[stats.EpisodeKind]float64{}},
		{"a get of another table before and among gets in a row", each(10, func(s *script, c uint64) {
			s.do(c, get, fmt.Sprint("p", c), pattern("product"), in("Products"))
			s.do(c, get, fmt.Sprint("o", c, 0))
			s.do(c, get, fmt.Sprint("p", c, 1), pattern("product"), in("Products"))
			for i := range 4 {
				s.do(c, get, fmt.Sprint("o", c, 1+i))
			}
		}), map[stats.EpisodeKind]float64{stats.SingleGets: 10}},
		{"five gets in a row", each(10, func(s *script, c uint64) {
			for i := range 5 {
				s.do(c, get, fmt.Sprint("o", c, i))
			}
		}), map[stats.EpisodeKind]float64{stats.SingleGets: 10}},
		{"five gets at once", each(10, func(s *script, c uint64) {
			s.do(c, get, fmt.Sprint("u", c), pattern("user"))
			for i := range 5 {
				s.do(c, get, fmt.Sprint("o", c, i), s.at(7*time.Millisecond))
			}
		}), map[stats.EpisodeKind]float64{stats.SingleGets: 10}},
		{"gets that are repeated", each(10, func(s *script, c uint64) {
			for i := range 4 {
				s.do(c, get, fmt.Sprint("o", c, i), throttled)
				s.do(c, get, fmt.Sprint("o", c, i), second)
			}
		}), map[stats.EpisodeKind]float64{stats.SingleGets: 10}},
		{"a chain by two patterns", each(10, func(s *script, c uint64) {
			for i := range 4 {
				s.do(c, get, fmt.Sprint("o", c, i))
				s.do(c, get, fmt.Sprint("c", c, i), pattern("other"))
			}
		}), nil},
		{"a get each, of many callers", each(200, func(s *script, c uint64) { s.do(c, get, fmt.Sprint("o", c)) }), nil},
		{"gets with a pause between", each(10, func(s *script, c uint64) {
			for i := range 5 {
				s.do(c, get, fmt.Sprint("o", c, i), later(time.Second))
			}
		}), nil},
		{"gets with a query between", each(10, func(s *script, c uint64) {
			for i := range 5 {
				s.do(c, get, fmt.Sprint("o", c, i))
				s.do(c, query, "o", last)
			}
		}), nil},
		{"a loop of puts without a context of its own", func(s *script) {
			for i := range 150 {
				s.do(1, put, fmt.Sprint("o", i))
			}
		}, map[stats.EpisodeKind]float64{stats.SinglePuts: 2}},
		{"puts and deletes", each(10, func(s *script, c uint64) {
			for i := range 3 {
				s.do(c, put, fmt.Sprint("o", c, i))
				s.do(c, "DeleteItem", fmt.Sprint("p", c, i))
			}
		}), map[stats.EpisodeKind]float64{stats.SinglePuts: 10}},
		{"puts with conditions or answers", each(10, func(s *script, c uint64) {
			for i := range 4 {
				s.do(c, put, fmt.Sprint("o", c, i), checked)
				s.do(c, put, fmt.Sprint("p", c, i), returned)
			}
		}), nil},
		{"puts of one item", each(10, func(s *script, c uint64) {
			for range 4 {
				s.do(c, put, fmt.Sprint("o", c))
			}
		}), nil},
		{"requests at once that share a context", func(s *script) {
			for i := range 3000 { // 3 ms apart, each 5 ms long
				s.do(1, get, fmt.Sprint("o", i%700), s.at(0))
				s.do(8, get, fmt.Sprint("o", i%700), s.at(0), pattern("eight"))
				s.wait(3 * time.Millisecond)
			}
			s.wait(20 * time.Second)
			s.do(8, get, "o1", s.at(0))
			s.do(8, get, "o2", s.at(0))
		}, nil},
		{"read and put", each(10, func(s *script, c uint64) {
			s.do(c, get, fmt.Sprint("o", c))
			s.do(c, put, fmt.Sprint("o", c))
		}), map[stats.EpisodeKind]float64{stats.ReadPut: 10}},
		{"read and put checked", each(10, func(s *script, c uint64) {
			s.do(c, get, fmt.Sprint("o", c))
			s.do(c, put, fmt.Sprint("o", c), checked)
		}), map[stats.EpisodeKind]float64{stats.ReadPutChecked: 10}},
		{"read and put refused, and again", each(10, func(s *script, c uint64) {
			s.do(c, get, fmt.Sprint("o", c))
			s.do(c, put, fmt.Sprint("o", c), refused)
			s.do(c, get, fmt.Sprint("o", c))
			s.do(c, put, fmt.Sprint("o", c), checked)
		}), map[stats.EpisodeKind]float64{stats.ReadPutChecked: 20}},
		{"read and update", each(10, func(s *script, c uint64) {
			s.do(c, get, fmt.Sprint("o", c))
			s.do(c, update, fmt.Sprint("o", c))
		}), map[stats.EpisodeKind]float64{stats.ReadUpdate: 10}},
		{"read in a batch, and put in a transaction", each(10, func(s *script, c uint64) {
			s.do(c, "BatchGetItem", "", several("Get", fmt.Sprint("o", c), fmt.Sprint("p", c)))
			s.do(c, "TransactWriteItems", "", several("Put", fmt.Sprint("o", c), fmt.Sprint("q", c)))
		}), map[stats.EpisodeKind]float64{stats.ReadPut: 10}},
		{"the same on a condition", each(10, func(s *script, c uint64) {
			s.do(c, "BatchGetItem", "", several("Get", fmt.Sprint("o", c), fmt.Sprint("p", c)))
			s.do(c, "TransactWriteItems", "", several("Put", fmt.Sprint("o", c), fmt.Sprint("q", c)), checked)
		}), map[stats.EpisodeKind]float64{stats.ReadPutChecked: 10}},
		{"a batch put between a get and a put", each(10, func(s *script, c uint64) {
			s.do(c, get, "o1")
			s.do(c+4, "BatchWriteItem", "", several("Put", "o1", "o2"), later(6*time.Millisecond))
			s.do(c, put, "o1", later(20*time.Millisecond))
		}), map[stats.EpisodeKind]float64{stats.ReadPut: 10, stats.LostUpdate: 10}},
		{"read in a batch, and got again", each(10, func(s *script, c uint64) {
			s.do(c, "BatchGetItem", "", several("Get", fmt.Sprint("o", c), fmt.Sprint("p", c)))
			s.do(c, get, fmt.Sprint("o", c))
		}), nil},
		{"put of another item, and by another caller", each(10, func(s *script, c uint64) {
			s.do(c, get, fmt.Sprint("o", c))
			s.do(c, put, fmt.Sprint("p", c))
			s.do(c+4, put, fmt.Sprint("o", c))
		}), nil},
		{"two callers read and put one item", each(10, func(s *script, c uint64) {
			s.do(c, get, "o1")
			s.do(c+4, get, "o1")
			s.do(c, put, "o1")
			s.do(c+4, put, "o1")
		}), map[stats.EpisodeKind]float64{stats.ReadPut: 20, stats.LostUpdate: 10}},
		{"two callers who think for a minute and a half", func(s *script) {
			for i := range uint64(10) {
				item := fmt.Sprint("o", i)
				s.do(1000+16*i, get, item)
				s.do(1008+16*i, get, item)
			}
			s.wait(90 * time.Second)
			for i := range uint64(10) {
				item := fmt.Sprint("o", i)
				s.do(1000+16*i, put, item)
				s.do(1008+16*i, put, item)
			}
		}, map[stats.EpisodeKind]float64{stats.ReadPut: 20, stats.LostUpdate: 10}},
		{"a worker who comes to an item again after a minute and a half", func(s *script) {
			for range 10 {
				for i := range 10 {
					s.do(1000, get, fmt.Sprint("o", i))
					s.do(1000, query, "o", last)
				}
				s.wait(90 * time.Second)
				s.do(1000, put, "o1")
				s.wait(90 * time.Second)
			}
		}, nil},
		{"an update between", each(10, func(s *script, c uint64) {
			s.do(c, get, "o1")
			s.do(c+4, update, "o1", later(6*time.Millisecond))
			s.do(c, put, "o1", later(20*time.Millisecond))
		}), map[stats.EpisodeKind]float64{stats.ReadPut: 10, stats.LostUpdate: 10}},
		{"one after the other", each(10, func(s *script, c uint64) {
			s.do(c, get, "o1")
			s.do(c, put, "o1")
			s.wait(20 * time.Millisecond)
			s.do(c+4, get, "o1")
			s.do(c+4, put, "o1")
		}), map[stats.EpisodeKind]float64{stats.ReadPut: 20}},
		{"writers and readers that are others", each(10, func(s *script, c uint64) {
			s.do(c, get, "o1")
			s.do(c+1, get, "o1")
			s.do(c+2, put, "o1")
			s.do(c+3, put, "o1")
		}), nil},
		{"two callers with versions", each(10, func(s *script, c uint64) {
			s.do(c, get, "o1")
			s.do(c+4, get, "o1")
			s.do(c, put, "o1", checked)
			s.do(c+4, put, "o1", refused)
		}), map[stats.EpisodeKind]float64{stats.ReadPutChecked: 20}},
		{"two callers who demand that it is there", each(10, func(s *script, c uint64) {
			s.do(c, get, "o1")
			s.do(c+4, get, "o1")
			s.do(c, put, "o1", checked)
			s.do(c+4, put, "o1", checked)
		}), map[stats.EpisodeKind]float64{stats.ReadPutChecked: 20, stats.LostUpdate: 10}},
		{"who shares a context reads and puts", func(s *script) {
			for i := range 400 { // until it is clear that they share it
				s.do(1, get, fmt.Sprint("x", i), s.at(0), pattern("x"))
				s.wait(2 * time.Millisecond)
			}
			for range 400 {
				s.do(1, get, "o1", s.at(0))
				s.do(1, get, "o1", s.at(time.Millisecond))
				s.do(1, put, "o1", s.at(8*time.Millisecond))
				s.do(1, put, "o1", s.at(9*time.Millisecond))
				s.wait(40 * time.Millisecond)
			}
		}, map[stats.EpisodeKind]float64{stats.LostUpdate: 400}},
		{"read again", each(10, func(s *script, c uint64) {
			s.do(c, get, "o1")
			s.do(c, query, "o", last)
			s.do(c, get, "o1")
		}), map[stats.EpisodeKind]float64{stats.ReadAgain: 10}},
		{"read again after a write", each(10, func(s *script, c uint64) {
			s.do(c, get, "o1")
			s.do(c+4, put, "o1", s.at(8*time.Millisecond))
			s.do(c, get, "o1", later(20*time.Millisecond))
		}), nil},
		{"read again by others", each(50, func(s *script, c uint64) { s.do(c, get, "o1") }), nil},
		{"a program's loop that looks every minute", func(s *script) {
			for range 50 {
				s.do(1, get, "o1")
				s.wait(time.Minute)
			}
		}, nil},
		{"pages that nobody goes on after", each(10, func(s *script, c uint64) { s.do(c, query, fmt.Sprint(c%7), paged) }), map[stats.EpisodeKind]float64{stats.Unpaged: 10}},
		{"pages at their limit", each(10, func(s *script, c uint64) { s.do(c, query, fmt.Sprint(c%7), limited) }), map[stats.EpisodeKind]float64{stats.UnpagedLimit: 10}},
		{"a limit before a filter", each(10, func(s *script, c uint64) {
			s.do(c, query, fmt.Sprint(c%7), limited, func(e *stats.Event) { e.Asks |= stats.Filtered })
		}), map[stats.EpisodeKind]float64{stats.Unpaged: 10}},
		{"pages that are gone on after", each(10, func(s *script, c uint64) {
			s.do(c, query, fmt.Sprint(c%7), paged)
			s.do(c, query, fmt.Sprint(c%7), paged, resumed)
			s.do(c, query, fmt.Sprint(c%7), resumed)
		}), nil},
		{"pages that the client goes on after while more is wanted", each(10, func(s *script, c uint64) {
			s.do(c, query, fmt.Sprint(c%7), paged, func(e *stats.Event) { e.Asks |= stats.GoesOn })
		}), nil},
		{"pages of a scan that others go on after, late", each(10, func(s *script, c uint64) {
			s.do(c, "Scan", "", paged)
			s.wait(7 * time.Second)
			s.do(c+4, "Scan", "", resumed)
		}), nil},
		{"an index that does not have it yet", each(10, func(s *script, c uint64) {
			s.do(c, put, fmt.Sprint("o", c), under("c1"))
			s.do(c, query, "", ofCustomer("c1"))
		}), map[stats.EpisodeKind]float64{stats.IndexReadOwn: 10}},
		{"an index that does not have a batch yet", each(10, func(s *script, c uint64) {
			s.do(c, "BatchWriteItem", "", func(e *stats.Event) {
				e.Parts = []stats.Part{{Action: "Put", Table: "Shop", Item: stats.KeyID{Hash: 5}, Write: 1}, {Table: "Shop", Index: "ByCustomer", Partition: stats.KeyID{Hash: hash("ByCustomer.c1")}, Write: 1}}
			})
			s.do(c, query, "", ofCustomer("c1"))
		}), map[stats.EpisodeKind]float64{stats.IndexReadOwn: 10}},
		{"an index of others, and later", each(10, func(s *script, c uint64) {
			s.do(c, put, fmt.Sprint("o", c), under("c1"))
			s.do(c, query, "", ofCustomer("c2"))
			s.do(c+4, query, "", ofCustomer("c1"))
			s.do(c, query, "", ofCustomer("c1"), later(2*time.Second))
		}), nil},
		{"consistent reads", each(10, func(s *script, c uint64) {
			s.do(c, put, fmt.Sprint("o", c))
			s.do(c+4, get, fmt.Sprint("o", c), strong, later(20*time.Millisecond))
			s.do(c+5, get, fmt.Sprint("p", c), strong, later(20*time.Millisecond))
			s.do(c+6, query, "o", last, strong, later(20*time.Millisecond))
			s.do(c+7, query, "p", last, strong, later(20*time.Millisecond))
		}), map[stats.EpisodeKind]float64{stats.ConsistentFresh: 20, stats.ConsistentStill: 20}},
	} {
		s := newScript(stats.Options{})
		test.do(s)
		got := s.settle()
		for kind, e := range got {
			if test.want[kind] == 0 {
				t.Errorf("%s: %s: %+v", test.name, kind, *e)
			}
		}
		for kind, want := range test.want {
			e := got[kind]
			if e == nil || math.Abs(e.Count-want) > 0.1*want || math.Abs(e.Seen-want) > want || e.Key == "" || e.Table != "Shop" && e.Table != "Products" || e.Took <= 0 || e.Items == 0 {
				t.Errorf("%s: %s is %+v, want %v", test.name, kind, e, want)
			}
		}
	}
}

// What an episode tells is of all its calls.
func TestEpisodeTells(t *testing.T) {
	s := newScript(stats.Options{})
	for c := range uint64(6) {
		for i := range 4 {
			s.do(100+c, "GetItem", fmt.Sprint("o", c, i))
		}
		s.do(100+c, "PutItem", fmt.Sprint("o", c, 3))
		s.wait(time.Second)
	}
	got := s.settle()
	runs, pairs := got[stats.SingleGets], got[stats.ReadPut]
	if runs.Calls != 24 || runs.Read != 12 || runs.Write != 0 || runs.Returned != 24 || runs.Took != 23*time.Millisecond || math.Abs(runs.Callers-6) > 1 || runs.Operation != "GetItem" ||
		runs.Pattern != "getitem" || runs.First != "" {
		t.Errorf("%+v", runs)
	}
	if pairs.Calls != 12 || pairs.Read != 3 || pairs.Write != 6 || pairs.Took != 11*time.Millisecond || pairs.First != "GetItem" || pairs.FirstPattern != "getitem" ||
		pairs.Operation != "PutItem" || math.Abs(pairs.Items-6) > 1 || !strings.HasPrefix(pairs.Key, "o") {
		t.Errorf("%+v", pairs)
	}
	all := s.c.Reset()
	if len(s.c.Snapshot().Episodes) != 0 || len(all.Episodes) != 2 || len(all.Table("Shop").Episodes) != 2 || len(all.Table("Other").Episodes) != 0 {
		t.Errorf("%d episodes, %d of the table, %d afterwards", len(all.Episodes), len(all.Table("Shop").Episodes), len(s.c.Snapshot().Episodes))
	}
	var b bytes.Buffer
	must(t, all.Write(&b))
	read, err := stats.ReadSnapshot(&b)
	must(t, err)
	both, err := stats.Merge(all, read)
	must(t, err)
	if e := both.Episodes[1]; len(both.Episodes) != 2 || e.Kind != stats.SingleGets || e.Count != 12 || e.Took != runs.Took || all.Episodes[1].Count != 6 {
		t.Errorf("%+v", e)
	}
	if _, err := stats.ReadSnapshot(strings.NewReader(`{"tablewrightStats":1,"kept":2,"episodes":[{"kind":"x","count":-1}]}`)); err == nil {
		t.Error("a count below 0 was read")
	}
}

// What is over when a Collector begins anew is told once; what may become an episode yet is not forgotten.
func TestEpisodesReset(t *testing.T) {
	s := newScript(stats.Options{})
	s.do(16, "Query", "a", paged)
	s.do(24, "GetItem", "o1")
	if e := s.c.Reset().Episodes; len(e) != 0 {
		t.Errorf("at once: %+v", *e[0])
	}
	s.wait(time.Second)
	s.do(24, "PutItem", "o1")
	got := s.settle()
	if got[stats.Unpaged] == nil || got[stats.ReadPut] == nil || len(got) != 2 {
		t.Errorf("later there are %d: %+v", len(got), got)
	}
	if e := s.c.Reset().Episodes; len(e) != 2 {
		t.Errorf("%d episodes", len(e))
	}
	if e := s.c.Reset().Episodes; len(e) != 0 {
		t.Errorf("again: %+v", *e[0])
	}
}

// Of more callers, items and reads than can be followed a part stands for all.
func TestEpisodesOfMany(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	s := newScript(stats.Options{})
	const n = 60_000
	for c := range uint64(n) { // 20,000 a second: many more than are followed at a time
		caller, item := 16*c+0x10000, fmt.Sprint("o", c)
		s.do(caller, "GetItem", item)
		s.do(caller, "PutItem", item)
		s.do(caller+1, "Query", item, paged, func(e *stats.Event) { e.Partition.Hash = hash(item) })
		s.now += int64(50 * time.Microsecond)
	}
	got := s.settle()
	for kind, wide := range map[stats.EpisodeKind]float64{stats.ReadPut: 0.25, stats.Unpaged: 0.35} {
		e := got[kind]
		if e == nil || math.Abs(e.Count-n) > wide*n || e.Seen > n/3 {
			t.Errorf("%s: %+v", kind, e)
		} else {
			t.Logf("%s: %.0f of %d, of %.0f that were seen, %.0f callers", kind, e.Count, n, e.Seen, e.Callers)
		}
	}
}

// A program's calls make episodes as they happen, with what its requests ask for and the indexes that its items lie in.
func TestEpisodesOfAProgram(t *testing.T) {
	clock := &settable{at: time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)}
	c := stats.NewCollector(stats.Options{Clock: clock})
	db := open(t, c, func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(ctx context.Context, call *tablewright.Call) error {
			clock.at = clock.at.Add(3 * time.Millisecond)
			return next.Do(ctx, call)
		})
	})
	c.Reset()
	j := c.Journal(stats.JournalOptions{})
	for i := range 8 {
		ctx, cancel := context.WithCancel(t.Context())
		id := fmt.Sprint("o", i)
		for line := range 4 {
			must(t, orders.Put(order{ID: id, Line: fmt.Sprint(line), Customer: "c" + id}).Run(ctx, db))
		}
		_, err := orders.ByCustomer.Of("c"+id).Slice(ctx, db)
		must(t, err)
		_, err = linesOfOrder.With(id).Evaluate(3).Page(ctx, db, 2)
		must(t, err)
		_, err = linesOfOrder.With(id).Evaluate(1).Top(2).Slice(ctx, db) // no cursor is left behind that anybody wanted
		must(t, err)
		o, err := orders.Get(orderKey{id, "1"}).Run(ctx, db)
		must(t, err)
		must(t, orders.Put(o).If(orders.Count.Equals(0)).Run(ctx, db))
		must(t, orders.Update(orderKey{id, "2"}, orders.Customer.Set("u"+id), orders.Count.Plus(1)).Run(ctx, db))
		_, err = orders.ByCustomer.Of("u"+id).Slice(ctx, db)
		must(t, err)
		must(t, tablewright.Transact(orders.Put(order{ID: id, Line: "8", Customer: "t" + id}), orders.Put(order{ID: id, Line: "9", Customer: "t" + id})).Run(ctx, db))
		_, err = orders.ByCustomer.Of("t"+id).Slice(ctx, db)
		must(t, err)
		cancel()
	}
	for range 3 {
		_, _ = orders.Get(orderKey{"o1", "1"}).Consistent().Run(t.Context(), db)
		clock.at = clock.at.Add(2 * time.Second)
	}
	want := c.Snapshot()
	for _, k := range want.Partitions.List {
		if k.Key == `{"customerId":{"S":"to3"}}` && k.Write != 2 { // of a transaction
			t.Errorf("an index's key has %v write units", k.Write)
		}
	}
	kinds := map[stats.EpisodeKind]float64{}
	for _, e := range want.Episodes {
		kinds[e.Kind] += e.Count
	}
	for kind, n := range map[stats.EpisodeKind]float64{stats.SinglePuts: 8, stats.IndexReadOwn: 3 * 8, stats.ReadPutChecked: 8, stats.UnpagedLimit: 8, stats.ConsistentStill: 2, stats.ConsistentFresh: 1, stats.ReadAgain: 2} {
		if kinds[kind] != n {
			t.Errorf("%s: %v, want %v", kind, kinds[kind], n)
		}
		delete(kinds, kind)
	}
	if len(kinds) > 0 {
		t.Errorf("also %v", kinds)
	}
	again := stats.NewCollector(stats.Options{Clock: clock})
	for e := range j.Events() {
		again.Record(e)
	}
	if got := again.Snapshot().Episodes; !slices.EqualFunc(got, want.Episodes, func(a, b *stats.Episode) bool {
		x, y := *a, *b
		x.Key, y.Key = "", ""
		return x == y
	}) {
		t.Errorf("from a journal there are %d episodes, want %d", len(got), len(want.Episodes))
	}
}

// Callers at once under one context and under their own, while snapshots are taken: for the race detector.
func TestEpisodesOfGoroutines(t *testing.T) {
	c := stats.NewCollector(stats.Options{})
	hook := c.Hook(nothing)
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			for j := range 120 {
				ctx, cancel := context.WithCancel(t.Context())
				if i%2 == 0 {
					ctx = t.Context()
				}
				call := getCall(j % 40)
				_ = hook.Do(ctx, call)
				call.Operation, call.Write, call.Read = "PutItem", 1, 0
				_ = hook.Do(ctx, call)
				call.Operation, call.More, call.ItemKey = "Query", j%3 == 0, nil
				_ = hook.Do(ctx, call)
				cancel()
				if j%40 == 0 {
					_ = c.Reset()
				}
			}
		})
	}
	wait.Wait()
	for _, e := range c.Snapshot().Episodes {
		if e.Count <= 0 || e.Seen > e.Count+1e-9 && e.Kind != stats.Unpaged {
			t.Errorf("%+v", e)
		}
	}
}
