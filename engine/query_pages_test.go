package engine_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/internal/norace"
)

// TestQueryPages: pages of a Query, of whatever index, size, direction and range, have what a filter of a Scan finds by copies
// of the key attributes that are in no key, each item once and in the order of the sort key; pages of segments of a Scan have all.
func TestQueryPages(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	e := engine.New(t)
	do(t, e, "CreateTable", `{"TableName":"tbl","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"a","KeyType":"HASH"},{"AttributeName":"b","KeyType":"RANGE"}],
		"AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"},{"AttributeName":"b","AttributeType":"N"},{"AttributeName":"c","AttributeType":"N"},
			{"AttributeName":"d","AttributeType":"S"},{"AttributeName":"f","AttributeType":"N"},{"AttributeName":"g","AttributeType":"S"}],
		"LocalSecondaryIndexes":[{"IndexName":"local","KeySchema":[{"AttributeName":"a","KeyType":"HASH"},{"AttributeName":"c","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}],
		"GlobalSecondaryIndexes":[{"IndexName":"global","KeySchema":[{"AttributeName":"d","KeyType":"HASH"},{"AttributeName":"c","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}},
			{"IndexName":"several","KeySchema":[{"AttributeName":"d","KeyType":"HASH"},{"AttributeName":"a","KeyType":"HASH"},{"AttributeName":"f","KeyType":"RANGE"},
				{"AttributeName":"g","KeyType":"RANGE"},{"AttributeName":"c","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}]}`)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	texts := map[string]bool{"a": true, "d": true, "g": true}
	value := func(name string) string {
		if texts[name] {
			return fmt.Sprintf(`{"S":"%s"}`, []string{"", "x", "xy", "xyz", "y"}[1+r.IntN(4)])
		}
		return fmt.Sprintf(`{"N":"%d"}`, r.IntN(6)-2)
	}
	const items = 150
	for i := range items {
		item := fmt.Sprintf(`"b":{"N":"%d"}`, i)
		for _, name := range []string{"a", "c", "d", "f", "g"} {
			if v := value(name); name == "a" || r.IntN(6) > 0 {
				item += fmt.Sprintf(`,"%s":%s,"%[1]s%[1]s":%[2]s`, name, v)
			}
		}
		do(t, e, "PutItem", `{"TableName":"tbl","Item":{%s,"bb":{"N":"%d"}}}`, item, i)
	}
	indexes := []struct {
		name        string
		hash, sorts []string
	}{{"", []string{"a"}, []string{"b"}}, {"local", []string{"a"}, []string{"c"}}, {"global", []string{"d"}, []string{"c"}}, {"several", []string{"d", "a"}, []string{"f", "g", "c"}}}
	rounds := 1500
	if testing.Short() {
		rounds = 300
	}
	found := 0
	for range rounds {
		x := indexes[r.IntN(len(indexes))]
		var terms, values []string
		bind := func(name string) string {
			values = append(values, fmt.Sprintf(`":v%d":%s`, len(values), value(name)))
			return fmt.Sprintf(":v%d", len(values)-1)
		}
		for _, h := range x.hash {
			terms = append(terms, h+" = "+bind(h))
		}
		for _, s := range x.sorts[:r.IntN(len(x.sorts)+1)] {
			if last := r.IntN(2) == 0; !last {
				terms = append(terms, s+" = "+bind(s))
				continue
			}
			switch k := r.IntN(6); {
			case k == 0 && texts[s]:
				terms = append(terms, "begins_with("+s+", "+bind(s)+")")
			case k == 1:
				v := bind(s)
				terms = append(terms, s+" BETWEEN "+v+" AND "+v)
			default:
				terms = append(terms, s+" "+[]string{"<", "<=", ">", ">="}[r.IntN(4)]+" "+bind(s))
			}
			break
		}
		filter, isFiltered := "", ""
		if r.IntN(3) == 0 {
			filter = "attribute_exists(ff) AND ff > " + bind("f")
			isFiltered = `,"FilterExpression":"` + filter + `"`
			filter = " AND " + filter
		}
		bound := `,"ExpressionAttributeValues":{` + strings.Join(values, ",") + `}`
		copies := make([]string, len(terms))
		for i, term := range terms {
			for _, name := range slices.Concat(x.hash, x.sorts) {
				term = strings.Replace(strings.Replace(term, "("+name+",", "("+name+name+",", 1), name+" ", name+name+" ", 1)
			}
			copies[i] = term
		}
		for _, s := range slices.Concat(x.hash, x.sorts) { // else an item has no entry
			copies = append(copies, "attribute_exists("+s+")")
		}
		want := allOf(t, e, "Scan", `"TableName":"tbl","FilterExpression":"`+strings.Join(copies, " AND ")+filter+`"`+bound, 0)
		forward := r.IntN(2) == 0
		request := fmt.Sprintf(`"TableName":"tbl","KeyConditionExpression":"%s"%s%s,"ScanIndexForward":%v`, strings.Join(terms, " AND "), isFiltered, bound, forward)
		if x.name != "" {
			request += `,"IndexName":"` + x.name + `"`
		}
		got := allOf(t, e, "Query", request, 1+r.IntN(12))
		found += len(got)
		for i := 1; i < len(got); i++ {
			if order := compareBy(x.sorts, got[i-1], got[i]); order > 0 && forward || order < 0 && !forward {
				t.Fatalf("%s: %v comes before %v", request, got[i-1], got[i])
			}
		}
		if a, b := numbers(want), numbers(got); !slices.Equal(a, b) {
			t.Fatalf("%s: pages have\n%v\nof\n%v", request, b, a)
		}
		if r.IntN(20) == 0 {
			total, of, from := 1+r.IntN(5), len(allOf(t, e, "Scan", `"TableName":"tbl"`, 0)), ""
			if x.name != "" {
				from = `,"IndexName":"` + x.name + `"`
				of = len(allOf(t, e, "Scan", `"TableName":"tbl"`+from, 0))
			}
			var all []map[string]any
			for s := range total {
				all = append(all, allOf(t, e, "Scan", fmt.Sprintf(`"TableName":"tbl"%s,"Segment":%d,"TotalSegments":%d`, from, s, total), 1+r.IntN(12))...)
			}
			if n := len(slices.Compact(numbers(all))); n != of || len(all) != of {
				t.Fatalf("%d segments of %q have %d items, %d of them different, of %d", total, x.name, len(all), n, of)
			}
		}
	}
	if found < rounds {
		t.Errorf("in %d rounds only %d items were found", rounds, found)
	}
}

// allOf are the items of all pages.
func allOf(t *testing.T, e *engine.Engine, operation, request string, limit int) (items []map[string]any) {
	t.Helper()
	if limit > 0 {
		request += fmt.Sprintf(`,"Limit":%d`, limit)
	}
	for cursor, pages := "", 0; ; pages++ {
		answer := do(t, e, operation, `{%s%s}`, request, cursor)
		for _, it := range answer["Items"].([]any) {
			items = append(items, it.(map[string]any))
		}
		if answer["LastEvaluatedKey"] == nil {
			return items
		}
		key, err := json.Marshal(answer["LastEvaluatedKey"])
		if err = errors.Join(err, map[bool]error{true: errors.New("the pages do not end")}[pages > 1000]); err != nil {
			t.Fatal(err)
		}
		cursor = `,"ExclusiveStartKey":` + string(key)
	}
}

// numbers are the values of b, sorted.
func numbers(items []map[string]any) (l []string) {
	for _, it := range items {
		l = append(l, textOf(it["b"]))
	}
	slices.Sort(l)
	return l
}

func textOf(v any) string {
	for _, text := range v.(map[string]any) {
		return text.(string)
	}
	return ""
}

// compareBy compares items by attributes.
func compareBy(names []string, a, b map[string]any) int {
	for _, name := range names {
		x, y := textOf(a[name]), textOf(b[name])
		if _, isNumber := a[name].(map[string]any)["N"]; isNumber {
			var m, n int
			_, _ = fmt.Sscan(x, &m)
			_, _ = fmt.Sscan(y, &n)
			if m != n {
				return m - n
			}
		} else if order := strings.Compare(x, y); order != 0 {
			return order
		}
	}
	return 0
}
