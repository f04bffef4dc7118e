package engine_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/internal/norace"
)

// TestStatementPages: whatever a condition says of the key, the pages of a SELECT have what a scan finds by copies of the key
// attributes that are in no key, each item once.
func TestStatementPages(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	e := engine.New(t)
	do(t, e, "CreateTable", `{"TableName":"tbl","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"},{"AttributeName":"g","AttributeType":"S"},{"AttributeName":"h","AttributeType":"N"}],
		"GlobalSecondaryIndexes":[{"IndexName":"idx","KeySchema":[{"AttributeName":"g","KeyType":"HASH"},{"AttributeName":"h","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}],
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],"BillingMode":"PAY_PER_REQUEST"}`)
	for p := range 3 {
		for s := range 7 {
			do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"p%[1]d"},"sk":{"N":"%[2]d"},"pcopy":{"S":"p%[1]d"},"scopy":{"N":"%[2]d"},
				"g":{"S":"p%[1]d"},"h":{"N":"%[3]d"},"gcopy":{"S":"p%[1]d"},"hcopy":{"N":"%[3]d"}}}`, p, s, s/2)
		}
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	rounds := 3000
	if testing.Short() {
		rounds = 500
	}
	compared := 0
	for range rounds {
		where := randomCondition(r, 3)
		if r.IntN(2) == 0 {
			where = fmt.Sprintf("pk = 'p%d' AND (%s)", r.IntN(3), where)
		}
		order := ""
		if r.IntN(4) == 0 {
			order = []string{" ORDER BY sk DESC", " ORDER BY sk", " ORDER BY pk DESC", " ORDER BY pk, sk DESC"}[r.IntN(4)]
		}
		from, copied := "tbl", strings.NewReplacer("pk", "pcopy", "sk", "scopy")
		if r.IntN(3) == 0 { // several entries have the same key there
			toIndex := strings.NewReplacer("pk", "g", "sk", "h")
			where, order = toIndex.Replace(where), toIndex.Replace(order)
			from, copied = "tbl.idx", strings.NewReplacer("g ", "gcopy ", "h ", "hcopy ")
		}
		want, err := allPages(t, e, "SELECT pk, sk FROM tbl WHERE "+copied.Replace(where), 0)
		if err != nil {
			t.Fatalf("%s: %v", where, err)
		}
		got, err := allPages(t, e, "SELECT pk, sk FROM "+from+" WHERE "+where+order, 1+r.IntN(4))
		if order != "" && err != nil && strings.Contains(err.Error(), "when using ORDER BY") {
			continue // the order needs a partition key
		}
		if err != nil {
			t.Fatalf("%s: %v", where, err)
		}
		compared++
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("WHERE %s%s: pages have\n%s\nof\n%s", where, order, got, want)
		}
	}
	if compared < rounds*3/4 {
		t.Errorf("only %d of %d conditions were compared", compared, rounds)
	}
}

// randomCondition is a condition on pk and sk of a depth.
func randomCondition(r *rand.Rand, depth int) string {
	n := func() int { return r.IntN(9) - 1 }
	switch k := r.IntN(12); {
	case depth > 0 && k < 3:
		return "(" + randomCondition(r, depth-1) + " OR " + randomCondition(r, depth-1) + ")"
	case depth > 0 && k < 6:
		return "(" + randomCondition(r, depth-1) + " AND " + randomCondition(r, depth-1) + ")"
	case depth > 0 && k == 6:
		return "NOT (" + randomCondition(r, depth-1) + ")"
	case k < 8:
		return fmt.Sprintf("pk = 'p%d'", r.IntN(4))
	case k == 8:
		return fmt.Sprintf("pk IN ['p%d', 'p%d']", r.IntN(4), r.IntN(4))
	case k == 9:
		return fmt.Sprintf("sk IN [%d, %d, %d]", n(), n(), n())
	case k == 10:
		low := n()
		return fmt.Sprintf("sk BETWEEN %d AND %d", low, low+r.IntN(4))
	}
	return fmt.Sprintf("sk %s %d", []string{"=", "<", "<=", ">", ">="}[r.IntN(5)], n())
}

// allPages are the items of all pages of a statement; no limit if it is 0.
func allPages(t *testing.T, e *engine.Engine, statement string, limit int) (items []string, err error) {
	t.Helper()
	more := ""
	if limit > 0 {
		more = fmt.Sprintf(`,"Limit":%d`, limit)
	}
	token := ""
	for range 200 {
		answer, err := try(e, "ExecuteStatement", `{"Statement":%q%s%s}`, statement, more, token)
		if err != nil {
			return nil, err
		}
		for _, it := range answer["Items"].([]any) {
			items = append(items, fmt.Sprint(it))
		}
		if answer["NextToken"] == nil {
			return items, nil
		}
		token = fmt.Sprintf(`,"NextToken":%q`, answer["NextToken"])
	}
	return nil, errors.New("the pages do not end")
}
