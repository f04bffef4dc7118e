package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/wire"
)

var (
	differentialSeed     = flag.Uint64("differential-seed", 1, "seed of TestDifferential")
	differentialRequests = flag.Int("differential-requests", 3000, "requests of TestDifferential")
)

// TestDifferential sends the same random requests, valid and nearly valid, to this engine and to DynamoDB Local and
// compares answers, messages and consumed capacity. Differences that are known, each with what decides for the service, are
// in testdata/differential.txt; any other fails the test with the request.
func TestDifferential(t *testing.T) {
	address, _ := startLocal(t)
	e := open(t, "", nil)
	known, err := readRules("testdata/differential.txt")
	if err != nil {
		t.Fatal(err)
	}
	g := &generator{r: rand.New(rand.NewPCG(*differentialSeed, 0))}
	local := func(operation, body string) string { return askHTTP(t, address, operation, body) }
	ours := func(operation, body string) string { return askEngine(e, operation, body) }
	both := func(operation, body string) (a, b string) {
		as := operation
		if strings.Contains(body, `"IndexName":"lsi"`) { // entries of one sort key have no order that the service tells
			as = "Scan"
		}
		return canonical(as, ours(operation, body)), canonical(as, local(operation, body))
	}
	if a, b := ours("CreateTable", schema), local("CreateTable", schema); !strings.HasPrefix(a, "{") || !strings.HasPrefix(b, "{") {
		t.Fatal(a, b)
	}
	explained, unexplained := 0, 0
	for i := range *differentialRequests {
		operation, body := g.request()
		a, b := both(operation, body)
		if a != b {
			if !known.explain(operation, body, a, b) {
				t.Errorf("request %d: %s %s\n  ours  %s\n  local %s", i, operation, body, a, b)
				unexplained++
			}
			explained++
		}
		if i%50 == 49 || operation == "TransactWriteItems" || operation == "BatchWriteItem" {
			if a, b := both("Scan", `{"TableName":"tbl"}`); a != b {
				t.Fatalf("request %d: tables differ after %s %s\n%s", i, operation, body, differingItems(a, b))
			}
		}
		if unexplained > 10 {
			break
		}
	}
	t.Logf("%d requests, %d answered otherwise for known reasons", *differentialRequests, explained)
	for _, r := range known {
		t.Logf("%4d  %s", r.used, r.why)
	}
}

// differingItems are the items that only one of two scans has.
func differingItems(a, b string) string {
	items := func(answer string) map[string]bool {
		var v struct{ Items []json.RawMessage }
		if err := json.Unmarshal([]byte(answer), &v); err != nil {
			return map[string]bool{answer: true}
		}
		m := map[string]bool{}
		for _, it := range v.Items {
			m[string(it)] = true
		}
		return m
	}
	var out strings.Builder
	ours, local := items(a), items(b)
	for it := range ours {
		if !local[it] {
			out.WriteString("  ours  " + it + "\n")
		}
	}
	for it := range local {
		if !ours[it] {
			out.WriteString("  local " + it + "\n")
		}
	}
	return out.String()
}

func askEngine(e *engine.Engine, operation, body string) string {
	answer, err := e.Do(context.Background(), operation, []byte(body))
	var refused *wire.Error
	if errors.As(err, &refused) {
		return errorText(refused)
	}
	return string(answer)
}

func askHTTP(t *testing.T, address, operation, body string) string {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, "http://"+address+"/", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-amz-json-1.0")
	req.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	req.Header.Set("X-Amz-Date", "20260801T000000Z")
	req.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=bench/20260801/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date;x-amz-target, Signature=0")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode != http.StatusOK {
		return errorText(wire.DecodeError(resp.StatusCode, answer))
	}
	return string(answer)
}

// errorText is an error with what it carries. The prefix that the service has since 2026 and DynamoDB Local has not is
// taken off; the conformance cases hold us to it.
func errorText(e *wire.Error) string {
	text := e.Code + ": " + strings.TrimPrefix(e.Message, "1 validation error detected: ")
	if e.Item != nil {
		text += " " + canonical("", string(e.Item))
	}
	for _, r := range e.Reasons {
		text += fmt.Sprintf(" [%s %s %s]", r.Code, r.Message, canonical("", string(r.Item)))
	}
	return text
}

// canonical writes an answer so that equal ones are equal texts: members and sets sorted, numbers alike, and the items of
// operations that give them in no order.
func canonical(operation, answer string) string {
	var v any
	d := json.NewDecoder(strings.NewReader(answer))
	if !strings.HasPrefix(answer, "{") || d.Decode(&v) != nil {
		return answer
	}
	unordered := operation == "Scan" || operation == "BatchGetItem"
	var walk func(v any, name string)
	walk = func(v any, name string) {
		switch v := v.(type) {
		case map[string]any:
			for k, m := range v {
				walk(m, k)
			}
		case []any:
			for _, m := range v {
				walk(m, "")
			}
			if name == "SS" || name == "NS" || name == "BS" || unordered && (name == "Items" || name == "tbl") {
				sort.Slice(v, func(i, j int) bool {
					a, _ := json.Marshal(v[i])
					b, _ := json.Marshal(v[j])
					return bytes.Compare(a, b) < 0
				})
			}
		}
	}
	walk(v, "")
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// rules are known differences.
type rules []*rule

// rule explains a difference: the expressions match operation and request, our answer, and DynamoDB Local's.
type rule struct {
	why                  string
	request, ours, local *regexp.Regexp
	used                 int
}

// readRules reads groups of lines "# why", "request regexp", "ours regexp", "local regexp".
func readRules(file string) (rules, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var l rules
	var why []string
	for n, line := range strings.Split(string(text), "\n") {
		kind, rest, _ := strings.Cut(line, " ")
		rest = strings.TrimSpace(rest)
		if kind == "" || kind == "#" {
			if kind == "#" {
				why = append(why, rest)
			} else {
				why = nil
			}
			continue
		}
		x, err := regexp.Compile(rest)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, n+1, err)
		}
		switch kind {
		case "request":
			if len(why) == 0 {
				return nil, fmt.Errorf("%s:%d: a difference without a reason", file, n+1)
			}
			l = append(l, &rule{why: strings.Join(why, " "), request: x})
		case "ours":
			l[len(l)-1].ours = x
		case "local":
			l[len(l)-1].local = x
		default:
			return nil, fmt.Errorf("%s:%d: unknown kind of line %q", file, n+1, kind)
		}
	}
	return l, nil
}

func (l rules) explain(operation, body, ours, local string) bool {
	for _, r := range l {
		if r.request.MatchString(operation+" "+body) && r.ours.MatchString(ours) && r.local.MatchString(local) {
			r.used++
			return true
		}
	}
	return false
}

// generator makes random requests on the table of schema, over few keys and values, so that they meet.
type generator struct {
	r      *rand.Rand
	names  map[string]string
	values []string
}

func (g *generator) pick(l ...string) string { return l[g.r.IntN(len(l))] }

func (g *generator) one(n int) bool { return g.r.IntN(n) == 0 }

// value is a random value in DynamoDB JSON.
func (g *generator) value(depth int) string {
	switch n := g.r.IntN(14); {
	case n < 4:
		return `{"N":"` + g.number() + `"}`
	case n < 7:
		return `{"S":"` + g.pick("a", "ab", "b", "", "é", "😀x", "zz") + `"}`
	case n == 7:
		return g.pick(`{"BOOL":true}`, `{"BOOL":false}`, `{"NULL":true}`)
	case n == 8:
		return g.pick(`{"B":"AQ=="}`, `{"B":"AQI="}`, `{"B":""}`)
	case n == 9:
		return g.pick(`{"SS":["a","b"]}`, `{"SS":["b"]}`, `{"NS":["1","2.5"]}`, `{"NS":["2"]}`, `{"BS":["AQ=="]}`)
	case depth > 2:
		return `{"L":[]}`
	case n < 12:
		return `{"L":[` + g.value(depth+1) + `,` + g.value(depth+1) + `]}`
	default:
		return `{"M":{"a":` + g.value(depth+1) + `,"b":` + g.value(depth+1) + `}}`
	}
}

func (g *generator) number() string {
	return g.pick("0", "1", "2", "3", "-1", "1.5", "10", "100", "0.001", "12345678901234567890", "10000000000", "-2.5", "99")
}

func (g *generator) key() string {
	if g.one(25) {
		return g.pick(`{"pk":{"S":"p1"}}`, `{"pk":{"N":"1"},"sk":{"N":"1"}}`, `{"pk":{"S":""},"sk":{"N":"1"}}`, `{"pk":{"S":"p1"},"sk":{"N":"1"},"x":{"S":"x"}}`)
	}
	return fmt.Sprintf(`{"pk":{"S":"p%d"},"sk":{"N":"%d"}}`, g.r.IntN(3), g.r.IntN(5))
}

// attributes are those of items besides the key; g, h and l are keys of indexes.
var attributes = []string{"x", "y", "z", "m"}

func (g *generator) item() string {
	var b strings.Builder
	key := g.key()
	b.WriteString(strings.TrimSuffix(key, "}"))
	if strings.Contains(key, `"x"`) {
		return key
	}
	for _, a := range attributes {
		if g.one(2) {
			b.WriteString(`,"` + a + `":` + g.value(0))
		}
	}
	if g.one(2) {
		b.WriteString(`,"g":` + g.indexed(`{"S":"g1"}`, `{"S":"g2"}`))
	}
	if g.one(2) {
		b.WriteString(`,"h":` + g.indexed(`{"N":"1"}`, `{"N":"2"}`))
	}
	if g.one(2) {
		b.WriteString(`,"l":` + g.indexed(`{"S":"l1"}`, `{"S":"l2"}`))
	}
	if g.one(20) {
		b.WriteString(`,"big":{"S":"` + strings.Repeat("x", 500+g.r.IntN(9000)) + `"}`)
	}
	return b.String() + "}"
}

// indexed is a value of an index key, rarely one that cannot be.
func (g *generator) indexed(l ...string) string {
	if g.one(40) {
		return g.pick(`{"S":""}`, `{"BOOL":true}`)
	}
	return g.pick(l...)
}

// begin forgets the placeholders of the request before.
func (g *generator) begin() { g.names, g.values = map[string]string{}, nil }

// literal gives a value a placeholder.
func (g *generator) literal(v string) string {
	g.values = append(g.values, v)
	return fmt.Sprintf(":v%d", len(g.values)-1)
}

func (g *generator) name(a string) string {
	if g.one(4) {
		g.names["#"+a] = a
		return "#" + a
	}
	return a
}

func (g *generator) path() string {
	p := g.name(g.pick(attributes...))
	for g.one(4) {
		p += g.pick(".a", ".b", "[0]", "[1]", "[5]")
	}
	return p
}

func (g *generator) operand() string {
	switch g.r.IntN(8) {
	case 0:
		return "size(" + g.path() + ")"
	case 1, 2, 3:
		return g.literal(g.value(1))
	}
	return g.path()
}

func (g *generator) condition(depth int) string {
	switch n := g.r.IntN(14); {
	case n < 4 || depth > 2:
		return g.operand() + " " + g.pick("=", "<>", "<", "<=", ">", ">=") + " " + g.operand()
	case n == 4:
		return g.pick("attribute_exists", "attribute_not_exists") + "(" + g.path() + ")"
	case n == 5:
		return "attribute_type(" + g.path() + ", " + g.literal(`{"S":"`+g.pick("S", "N", "L", "M", "SS", "NULL", "X")+`"}`) + ")"
	case n == 6:
		return "begins_with(" + g.path() + ", " + g.operand() + ")"
	case n == 7:
		return "contains(" + g.path() + ", " + g.operand() + ")"
	case n == 8:
		return g.operand() + " BETWEEN " + g.operand() + " AND " + g.operand()
	case n == 9:
		return g.operand() + " IN (" + g.operand() + ", " + g.operand() + ")"
	case n == 10:
		return "NOT " + g.condition(depth+1)
	case n == 11:
		return "(" + g.condition(depth+1) + ")"
	default:
		return g.condition(depth+1) + " " + g.pick("AND", "OR") + " " + g.condition(depth+1)
	}
}

// update is an update expression; plainPaths keeps it to top-level attributes.
func (g *generator) update() string {
	term := func() string {
		switch g.r.IntN(6) {
		case 0:
			return "if_not_exists(" + g.path() + ", " + g.literal(g.value(1)) + ")"
		case 1:
			return "list_append(" + g.path() + ", " + g.literal(`{"L":[`+g.value(2)+`]}`) + ")"
		case 2:
			return g.path()
		}
		return g.literal(g.value(1))
	}
	var parts []string
	if g.one(2) || len(parts) == 0 {
		set := g.path() + " = " + term()
		if g.one(3) {
			set = g.path() + " = " + g.path() + g.pick(" + ", " - ") + g.literal(`{"N":"`+g.number()+`"}`)
		}
		if g.one(3) {
			set += ", " + g.path() + " = " + term()
		}
		parts = append(parts, "SET "+set)
	}
	if g.one(3) {
		parts = append(parts, "REMOVE "+g.path())
	}
	if g.one(4) {
		parts = append(parts, "ADD "+g.path()+" "+g.literal(g.pick(`{"N":"1"}`, `{"SS":["a","c"]}`, `{"NS":["1","7"]}`, `{"S":"x"}`)))
	}
	if g.one(5) {
		parts = append(parts, "DELETE "+g.path()+" "+g.literal(g.pick(`{"SS":["a"]}`, `{"NS":["2"]}`, `{"N":"1"}`)))
	}
	g.r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	return strings.Join(parts, " ")
}

// placeholders are the members for what the expressions used.
func (g *generator) placeholders() string {
	var b strings.Builder
	if len(g.names) > 0 {
		text, _ := json.Marshal(g.names) // strings always can
		b.WriteString(`,"ExpressionAttributeNames":` + string(text))
	}
	if len(g.values) > 0 {
		b.WriteString(`,"ExpressionAttributeValues":{`)
		for i, v := range g.values {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `":v%d":%s`, i, v)
		}
		b.WriteString("}")
	}
	return b.String()
}

func (g *generator) maybeCondition() string {
	if g.one(2) {
		return ""
	}
	return `,"ConditionExpression":"` + g.condition(0) + `"` + g.pick("", `,"ReturnValuesOnConditionCheckFailure":"ALL_OLD"`)
}

func (g *generator) capacity() string {
	return g.pick("", `,"ReturnConsumedCapacity":"TOTAL"`, `,"ReturnConsumedCapacity":"INDEXES"`)
}

// written is capacity with its indexes, so that a difference shows where it is.
func (g *generator) written() string { return g.pick("", `,"ReturnConsumedCapacity":"INDEXES"`) }

func (g *generator) request() (operation, body string) {
	g.begin()
	switch g.r.IntN(12) {
	case 0, 1:
		body = `{"TableName":"tbl","Item":` + g.item() + g.maybeCondition() + g.written() + g.pick("", `,"ReturnValues":"ALL_OLD"`)
		return "PutItem", body + g.placeholders() + "}"
	case 2, 3, 4:
		body = `{"TableName":"tbl","Key":` + g.key() + `,"UpdateExpression":"` + g.update() + `"` + g.maybeCondition() + g.written() +
			g.pick("", `,"ReturnValues":"ALL_OLD"`, `,"ReturnValues":"ALL_NEW"`, `,"ReturnValues":"UPDATED_OLD"`, `,"ReturnValues":"UPDATED_NEW"`)
		return "UpdateItem", body + g.placeholders() + "}"
	case 5:
		body = `{"TableName":"tbl","Key":` + g.key() + g.maybeCondition() + g.written() + g.pick("", `,"ReturnValues":"ALL_OLD"`)
		return "DeleteItem", body + g.placeholders() + "}"
	case 6:
		body = `{"TableName":"tbl","Key":` + g.key() + g.capacity() + g.pick("", `,"ConsistentRead":true`)
		if g.one(2) {
			body += `,"ProjectionExpression":"` + g.path() + ", " + g.path() + `"`
		}
		return "GetItem", body + g.placeholders() + "}"
	case 7, 8:
		return "Query", g.query()
	case 9:
		body = `{"TableName":"tbl"` + g.capacity() + g.pick("", `,"IndexName":"gsi"`, `,"IndexName":"inc"`, `,"IndexName":"lsi"`) + g.pick("", "", `,"Select":"COUNT"`)
		if g.one(2) {
			body += `,"FilterExpression":"` + g.condition(0) + `"`
		}
		return "Scan", body + g.placeholders() + "}"
	case 10:
		var writes []string
		for i := range 1 + g.r.IntN(4) {
			if g.one(3) {
				writes = append(writes, `{"DeleteRequest":{"Key":`+g.key()+`}}`)
			} else {
				writes = append(writes, `{"PutRequest":{"Item":`+g.item()+`}}`)
			}
			_ = i
		}
		return "BatchWriteItem", `{"RequestItems":{"tbl":[` + strings.Join(writes, ",") + `]}}`
	default:
		return "TransactWriteItems", g.transaction()
	}
}

func (g *generator) query() string {
	pk := g.literal(g.pick(`{"S":"p0"}`, `{"S":"p1"}`, `{"S":"p2"}`, `{"N":"1"}`))
	hash, sort, index := "pk = "+pk, "sk", ""
	switch g.r.IntN(4) {
	case 0:
		g.values[0] = g.pick(`{"S":"g1"}`, `{"S":"g2"}`)
		hash, sort, index = "g = "+pk, "h", `,"IndexName":"gsi"`
		if g.one(2) {
			hash, sort = hash+" AND h = "+g.literal(`{"N":"1"}`), "sk"
		}
	case 1:
		sort, index = "l", `,"IndexName":"lsi"`
	}
	value := func() string {
		if sort == "l" {
			return g.literal(g.pick(`{"S":"l"}`, `{"S":"l1"}`, `{"S":"l2"}`))
		}
		return g.literal(`{"N":"` + g.pick("0", "1", "2", "3", "4") + `"}`)
	}
	switch g.r.IntN(8) {
	case 0, 1:
		hash += " AND " + sort + " " + g.pick("=", "<", "<=", ">", ">=") + " " + value()
	case 2:
		hash += " AND " + sort + " BETWEEN " + value() + " AND " + value()
	case 3:
		hash += " AND begins_with(" + sort + ", " + value() + ")"
	}
	limit := g.pick("", "", `,"Limit":1`, `,"Limit":3`)
	if sort == "l" {
		limit = ""
	}
	body := `{"TableName":"tbl","KeyConditionExpression":"` + hash + `"` + index + g.capacity() + g.pick("", `,"ScanIndexForward":false`) +
		limit + g.pick("", "", "", `,"Select":"COUNT"`, `,"ConsistentRead":true`)
	if g.one(3) {
		body += `,"FilterExpression":"` + g.condition(0) + `"`
	}
	if g.one(4) {
		body += `,"ProjectionExpression":"` + g.path() + `"`
	}
	return body + g.placeholders() + "}"
}

func (g *generator) transaction() string {
	var actions []string
	for range 1 + g.r.IntN(3) {
		g.begin()
		var a string
		switch g.r.IntN(4) {
		case 0:
			a = `{"Put":{"TableName":"tbl","Item":` + g.item() + g.maybeCondition()
		case 1:
			a = `{"Update":{"TableName":"tbl","Key":` + g.key() + `,"UpdateExpression":"` + g.update() + `"` + g.maybeCondition()
		case 2:
			a = `{"Delete":{"TableName":"tbl","Key":` + g.key() + g.maybeCondition()
		default:
			a = `{"ConditionCheck":{"TableName":"tbl","Key":` + g.key() + `,"ConditionExpression":"` + g.condition(0) + `"`
		}
		actions = append(actions, a+g.placeholders()+"}}")
	}
	return `{"TransactItems":[` + strings.Join(actions, ",") + `]}`
}
