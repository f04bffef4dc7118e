package engine_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sort"
	"strings"
	"sync"
	"testing"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/internal/norace"
)

// sqlTable is a table with a sort key, a global and a local index.
const sqlTable = `{"TableName":"rng","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"},{"AttributeName":"g","AttributeType":"S"}],
	"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],"BillingMode":"PAY_PER_REQUEST",
	"GlobalSecondaryIndexes":[{"IndexName":"gsi","KeySchema":[{"AttributeName":"g","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}],
	"LocalSecondaryIndexes":[{"IndexName":"lsi","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"g","KeyType":"RANGE"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}]}`

type sqlAnswer struct {
	Items     []json.RawMessage
	NextToken string
}

// statement runs a statement; parameters are values in DynamoDB JSON.
func statement(t *testing.T, e *engine.Engine, text string, more map[string]any) (a sqlAnswer, err error) {
	t.Helper()
	request := map[string]any{"Statement": text}
	for k, v := range more {
		request[k] = v
	}
	body, _ := json.Marshal(request)
	answer, err := e.Do(t.Context(), "ExecuteStatement", body)
	if err == nil {
		err = json.Unmarshal(answer, &a)
	}
	return a, err
}

func sqlEngine(t *testing.T) *engine.Engine {
	t.Helper()
	e, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Check(); err != nil {
			t.Error(err)
		}
		e.Close()
	})
	if _, err := e.Do(t.Context(), "CreateTable", []byte(sqlTable)); err != nil {
		t.Fatal(err)
	}
	return e
}

// TestSelectFindsWhatScanFinds: whatever way to the items a condition offers, and however small the pages are, a SELECT
// answers the items that the condition holds for. The oracle is the same condition where it leads nowhere, behind OR.
func TestSelectFindsWhatScanFinds(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	e := sqlEngine(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		text := fmt.Sprintf("INSERT INTO rng VALUE {'pk':'p%d','sk':%d,'g':'g%d','n':%d}", i%7, i/7, i%3, rnd.IntN(4))
		if i%5 == 0 {
			text = strings.Replace(text, "'g'", "'h'", 1) // not in the indexes
		}
		if _, err := statement(t, e, text, nil); err != nil {
			t.Fatal(err)
		}
	}
	pick := func(l ...string) string { return l[rnd.IntN(len(l))] }
	leaf := func() string {
		p, k, g := fmt.Sprintf("'p%d'", rnd.IntN(8)), fmt.Sprint(rnd.IntN(9)), fmt.Sprintf("'g%d'", rnd.IntN(4))
		return pick("pk = "+p, p+" = pk", "pk IN ["+p+", 'p1', 'p3']", "sk = "+k, "sk > "+k, k+" >= sk", "sk BETWEEN 2 AND 5", "sk IN [1, "+k+"]",
			"g = "+g, "g IN ("+g+", 'g0')", "begins_with(g, 'g')", "n = "+pick("0", "1", "2"), "n <> 1", "g IS MISSING", "NOT sk = "+k)
	}
	var condition func(depth int) string
	condition = func(depth int) string {
		if depth == 0 {
			return leaf()
		}
		return "(" + condition(depth-1) + pick(" AND ", " AND ", " OR ") + condition(depth-1) + ")"
	}
	for range 400 {
		where, from := condition(rnd.IntN(4)), pick("rng", "rng", "rng.gsi", "rng.lsi")
		read := func(where string, limit int) (items []string) {
			more := map[string]any{}
			if limit > 0 {
				more["Limit"] = limit
			}
			for page := 0; ; page++ {
				a, err := statement(t, e, "SELECT pk, sk FROM "+from+" WHERE "+where, more)
				if err != nil || page > 100 {
					t.Fatalf("%s: page %d: %v", where, page, err)
				}
				for _, it := range a.Items {
					items = append(items, string(it))
				}
				if a.NextToken == "" {
					sort.Strings(items)
					return items
				}
				more["NextToken"] = a.NextToken
			}
		}
		want := strings.Join(read("("+where+") AND n > -1 OR n = 99", 0), " ")
		for _, limit := range []int{0, 1 + rnd.IntN(5)} {
			if got := strings.Join(read(where, limit), " "); got != want {
				t.Fatalf("%s WHERE %s, limit %d\n got %s\nwant %s", from, where, limit, got, want)
			}
		}
	}
}

// TestSelectPages: a page ends at 1 MB of what is looked at, and tokens that were tampered with are refused.
func TestSelectPages(t *testing.T) {
	e := sqlEngine(t)
	for i := range 30 {
		parameters := []any{map[string]string{"S": strings.Repeat("x", 100_000)}}
		if _, err := statement(t, e, fmt.Sprintf("INSERT INTO rng VALUE {'pk':'p','sk':%d,'x':?}", i), map[string]any{"Parameters": parameters}); err != nil {
			t.Fatal(err)
		}
	}
	more := map[string]any{}
	var counts []int
	var token string
	for {
		a, err := statement(t, e, "SELECT sk FROM rng WHERE pk = 'p'", more)
		if err != nil {
			t.Fatal(err)
		}
		counts = append(counts, len(a.Items))
		if a.NextToken == "" {
			break
		}
		token = a.NextToken
		more["NextToken"] = token
	}
	if fmt.Sprint(counts) != "[11 11 8]" { // the 11th item of 100,012 bytes crosses 1 MB
		t.Errorf("pages of %v items", counts)
	}
	raw, _ := base64.StdEncoding.DecodeString(token)
	for _, c := range []struct{ token, want string }{
		{base64.StdEncoding.EncodeToString(raw[:20]), "Invalid NextToken"},
		{base64.StdEncoding.EncodeToString(append(raw[:20:20], 0xff, 0xff)), "Invalid NextToken"},
		{base64.StdEncoding.EncodeToString(append([]byte{^raw[0]}, raw[1:]...)), "NextToken does not match request"},
	} {
		if _, err := statement(t, e, "SELECT sk FROM rng WHERE pk = 'p'", map[string]any{"NextToken": c.token}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestStatementSizes: items have 400 KB at most, finished ones too (page Constraints).
func TestStatementSizes(t *testing.T) {
	e := sqlEngine(t)
	of := func(n int) map[string]any {
		return map[string]any{"Parameters": []any{map[string]string{"S": strings.Repeat("x", n)}}}
	}
	const most = 409_600 - len("pk") - len("a") - len("sk") - 2 - len("x")
	for _, c := range []struct {
		text, want string
		n          int
	}{
		{"INSERT INTO rng VALUE {'pk':'a','sk':1,'x':?}", "", most},
		{"INSERT INTO rng VALUE {'pk':'a','sk':2,'x':?}", "Item size has exceeded the maximum allowed size", most + 1},
		{"UPDATE rng SET x = ? WHERE pk = 'a' AND sk = 1", "", most},
		{"UPDATE rng SET x = ? WHERE pk = 'a' AND sk = 1", "Item size to update has exceeded the maximum allowed size", most + 1},
	} {
		_, err := statement(t, e, c.text, of(c.n))
		if got := fmt.Sprint(err); (err == nil) != (c.want == "") || c.want != "" && !strings.HasSuffix(got, c.want) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
	body, _ := json.Marshal(map[string]any{"Statement": "SELECT pk FROM rng" + strings.Repeat(" ", 8192-18)})
	if _, err := e.Do(t.Context(), "ExecuteStatement", body); err != nil {
		t.Errorf("8,192 characters: %v", err)
	}
	body, _ = json.Marshal(map[string]any{"Statement": "SELECT pk FROM rng" + strings.Repeat(" ", 8193-18)})
	if _, err := e.Do(t.Context(), "ExecuteStatement", body); err == nil || !strings.HasSuffix(err.Error(), "at 'statement' failed to satisfy constraint: Member must have length less than or equal to 8192") {
		t.Errorf("8,193 characters: %v", err)
	}
}

// TestStatementARN: a table's ARN stands for its name, in double quotes.
func TestStatementARN(t *testing.T) {
	e := sqlEngine(t)
	const arn = `"arn:aws:dynamodb:us-east-1:000000000000:table/rng"`
	for _, text := range []string{
		"INSERT INTO " + arn + " VALUE {'pk':'a','sk':1,'g':'x'}", "UPDATE " + arn + " SET n = 1 WHERE pk = 'a' AND sk = 1",
		"SELECT * FROM " + arn + ".gsi WHERE g = 'x' AND n = 1", "DELETE FROM " + arn + " WHERE pk = 'a' AND sk = 1 RETURNING ALL OLD *",
	} {
		a, err := statement(t, e, text, nil)
		if err != nil || len(a.Items) == 0 && (text[0] == 'S' || text[0] == 'D') {
			t.Errorf("%s: %v %v", text, a, err)
		}
	}
}

// TestStatementsAtOnce: of inserts of one key one succeeds; sums of updates, in batches and transactions too, lose nothing.
func TestStatementsAtOnce(t *testing.T) {
	e := sqlEngine(t)
	var wg sync.WaitGroup
	var mu sync.Mutex
	inserted, added := 0, 0
	for range 8 {
		wg.Go(func() {
			if _, err := statement(t, e, "INSERT INTO rng VALUE {'pk':'a','sk':1,'n':0}", nil); err == nil {
				mu.Lock()
				inserted++
				mu.Unlock()
			}
			const one = `{"Statement":"UPDATE rng SET n = n + 1 WHERE pk = 'a' AND sk = 1"}`
			for range 20 {
				for operation, body := range map[string]string{"ExecuteStatement": one, "BatchExecuteStatement": `{"Statements":[` + one + `]}`, "ExecuteTransaction": `{"TransactStatements":[` + one + `]}`} {
					answer, err := e.Do(t.Context(), operation, []byte(body))
					if err == nil && !strings.Contains(string(answer), "Error") {
						mu.Lock()
						added++
						mu.Unlock()
					}
				}
			}
		})
	}
	wg.Wait()
	a, err := statement(t, e, "SELECT n FROM rng WHERE pk = 'a' AND sk = 1", nil)
	if err != nil || inserted != 1 || len(a.Items) != 1 || string(a.Items[0]) != fmt.Sprintf(`{"n":{"N":"%d"}}`, added) {
		t.Errorf("%d inserted, %d added: %s %v", inserted, added, a.Items, err)
	}
}
