package stats_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
)

var printed = tablewright.NewTable(plan.Table{Name: "Printed", Key: plan.Key{Partition: "PK", Sort: "SK"},
	GSI: map[string]plan.Index{"ByStatus": {Partition: []string{"GSI1PK"}, Sort: []string{"GSI1SK"}}}})

// printOf puts an item into a table, several times with other numbers in place of %, and is what is known of its attributes.
func printOf(t *testing.T, o stats.Options, times int, item string) map[string]stats.Print {
	t.Helper()
	o.Detail = 1
	o.Tables = append(o.Tables, printed)
	c := stats.NewCollector(o)
	hook := c.Hook(nothing)
	for i := range times {
		put(t, hook, strings.ReplaceAll(item, "%", fmt.Sprint(100+i)))
	}
	out := map[string]stats.Print{}
	s := c.Snapshot()
	if len(s.Sizes) != 1 || len(s.Sizes[0].Sample) != times {
		t.Fatalf("%d items", len(s.Sizes[0].Sample))
	}
	for _, p := range s.Sizes[0].Sample[0].Attributes {
		out[p.Name] = p
	}
	return out
}

func put(t *testing.T, hook tablewright.Transport, item string) {
	t.Helper()
	must(t, hook.Do(t.Context(), &tablewright.Call{Operation: "PutItem", Table: "Printed", Attempt: 1, Write: 1,
		Request: []byte(`{"TableName":"Printed","Item":` + item + `}`), Response: []byte(`{}`)}))
}

// What texts are made of: of other attributes, of parts that look like something, and of words that many share.
func TestShapes(t *testing.T) {
	for text, want := range map[string]string{
		`o#17#l#3`:                               "o#{orderId}#l#<digits>",
		`17`:                                     "{orderId}",
		`o17`:                                    "o{orderId}",
		`o#170`:                                  "o#<digits>",
		`ORDER#17#paid`:                          "ORDER#{orderId}#{status}",
		`User-17`:                                "User-{orderId}",
		`day#2026-11-22`:                         "day#<date>",
		`20261122`:                               "<date>",
		`20269922`:                               "<digits>",
		`2026-11-22T10:00:00.123Z#17`:            "<time>#{orderId}",
		`2026-11-22T10:00:00+01:00`:              "<time>",
		`at#10:30:05`:                            "at#<time>",
		`7f3b9c1e-aaaa-4bbb-8ccc-0123456789ab`:   "<uuid>",
		`x#7f3b9c1e-aaaa-4bbb-8ccc-0123456789ab`: "x#<uuid>",
		`01ARZ3NDEKTSV4RRFFQ69G5FAV`:             "<ulid>",
		`1srOrx2ZWZBpBUvZwXKQmoEYga2`:            "<ksuid>",
		`deadbeef01`:                             "<hex>",
		`mail#ann.lee@example.com`:               "mail#<email>",
		`a1b2c3`:                                 "<text>",
		`größe`:                                  "<text>",
		`17|paid`:                                "{orderId}|{status}",
		`19.5#x`:                                 "{price}#x",
	} {
		got := printOf(t, stats.Options{}, 5, `{"PK":{"S":"%"},"SK":{"S":"`+text+`"},"orderId":{"S":"17"},"status":{"S":"paid"},"price":{"N":"19.50"}}`)
		if got["SK"].Shape != want {
			t.Errorf("%s is %q, want %q", text, got["SK"].Shape, want)
		}
		if got["orderId"].Shape != "<digits>" || got["status"].Shape != "<word>" || got["price"].Shape != "" {
			t.Errorf("%s: %+v", text, got)
		}
	}
	// Free text shows no words, nor does a sample that is small, nor who hashes keys.
	const free = `{"PK":{"S":"user#%"},"SK":{"S":"p"},"note":{"S":"ring twice, Ann's"},"plan":{"S":"gold"},"ref":{"S":"acme/%"},"long":{"S":"a b c d e f g h i j k l m n o p q"},"huge":{"S":"` + "x" + `"}}`
	for _, test := range []struct {
		o     stats.Options
		times int
		want  map[string]string
	}{
		{stats.Options{}, 40, map[string]string{"PK": "user#<digits>", "SK": "p", "note": "<word> <word>, <Word>'<word>", "plan": "<word>", "ref": "acme/<digits>", "long": "<text>"}},
		{stats.Options{}, 2, map[string]string{"PK": "<word>#<digits>", "SK": "<word>", "ref": "<word>/<digits>"}},
		{stats.Options{HashKeys: []byte("secret")}, 40, map[string]string{"PK": "<word>#<digits>", "SK": "<word>", "ref": "<word>/<digits>", "plan": "<word>"}},
	} {
		got := printOf(t, test.o, test.times, free)
		for name, want := range test.want {
			if got[name].Shape != want {
				t.Errorf("%d items: %s is %q, want %q", test.times, name, got[name].Shape, want)
			}
		}
	}
}

// Types, sizes, values and changes of attributes, however an item is written down; and the values of keys.
func TestPrints(t *testing.T) {
	c := stats.NewCollector(stats.Options{Detail: 1, Tables: []*tablewright.Table{printed}})
	hook := c.Hook(nothing)
	const key = `"PK":{"S":"o#1"},"SK":{"S":"o"}`
	call := &tablewright.Call{Operation: "GetItem", Table: "Printed", Attempt: 1, Items: 1, Read: 0.5, Request: []byte(`{"Key":{` + key + `}}`)}
	for _, rest := range []string{
		`,"n":{"N":"1.50"},"s":{"S":"a/b"},"set":{"SS":["x","y"]},"m":{"M":{"a":{"S":"1"},"b":{"N":"2"}}},"l":{"L":[{"S":"1"},{"S":"2"}]},"at":{"N":"1763800000"},"copy":{"S":"o"}`,
		`,"s":{"S":"a\/b"},"set":{"SS":["y","x"]},"m":{"M":{"b":{"N":"2.0"},"a":{"S":"1"}}},"l":{"L":[{"S":"1"},{"S":"2"}]},"at":{"N":"1763800000"},"n":{"N":"1.5"},"copy":{"S":"o"}`,
		`,"s":{"S":"c"},"set":{"SS":["y","z"]},"m":{"M":{"b":{"N":"3"},"a":{"S":"1"}}},"l":{"L":[{"S":"2"},{"S":"1"}]},"at":{"N":"1763800000"},"n":{"N":"1.5"},"copy":{"S":"o"},"new":{"BOOL":true}`,
	} {
		call.Response = []byte(`{"Item":{` + key + rest + `}}`)
		must(t, hook.Do(t.Context(), call))
	}
	s := c.Snapshot()
	one := s.Sizes[0].Sample[0]
	got := map[string]stats.Print{}
	for i, p := range one.Attributes {
		if got[p.Name] = p; i > 0 && one.Attributes[i-1].Name >= p.Name {
			t.Errorf("%s stands before %s", one.Attributes[i-1].Name, p.Name)
		}
	}
	for name, want := range map[string]float64{"PK": 0, "SK": 0, "n": 0, "s": 1, "set": 1, "m": 1, "l": 1, "at": 0, "copy": 0, "new": 1} {
		if p, ok := got[name]; !ok || p.Changes != want {
			t.Errorf("%s changed %v times, want %v", name, p.Changes, want)
		}
	}
	sum := 0
	for _, p := range got {
		sum += p.Bytes
	}
	if sum != one.LastBytes || got["at"].Number != 1763800000 || got["n"].Number != 0 || got["m"].Type != "M" || got["new"].Type != "BOOL" || got["copy"].Value != got["SK"].Value ||
		got["copy"].Value == got["PK"].Value || one.Seen != 3 || len(s.Sizes[0].Largest[0].Attributes) != 0 {
		t.Errorf("%d bytes of %d: %+v", sum, one.LastBytes, got)
	}
	if k := s.Items.List[0]; len(k.Values) != 2 || k.Values[0] != got["PK"].Value || k.Values[1] != got["SK"].Value {
		t.Errorf("%s has values %v", k.Key, k.Values)
	}
	var b bytes.Buffer
	must(t, s.Write(&b))
	read, err := stats.ReadSnapshot(&b)
	must(t, err)
	both, err := stats.Merge(s, read)
	must(t, err)
	if a := both.Sizes[0].Sample[0].Attributes; len(a) != len(got) || a[len(a)-1].Changes != 2 || s.Sizes[0].Sample[0].Attributes[len(a)-1].Changes != 1 {
		t.Errorf("%+v", a)
	}
	hashed := stats.NewCollector(stats.Options{Detail: 1, HashKeys: []byte("secret"), Tables: []*tablewright.Table{printed}})
	must(t, hashed.Hook(nothing).Do(t.Context(), call))
	h := hashed.Snapshot()
	for _, p := range h.Sizes[0].Sample[0].Attributes {
		if p.Value == got[p.Name].Value {
			t.Errorf("%s has a hash that can be found by trying", p.Name)
		}
	}
	if len(h.Items.List[0].Values) != 0 {
		t.Error("values of keys that are hashed")
	}
}
