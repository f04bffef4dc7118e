package differ_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/internal/peers"
	"github.com/tablewright/tablewright/internal/peers/ledger"
)

// usualRequests take less than half a minute, most of it DynamoDB Local's.
const usualRequests = 2500

var (
	requests = flag.Int("requests", wanted(), "how many requests are compared, besides those of special kinds")
	seed     = flag.Uint64("seed", 1, "of the generated requests")
	dump     = flag.String("dump", "", "`file` to write all differences to, listed ones too, for whoever looks through them")
	check    = flag.Bool("check", false, "compare the items of a table after every write to it: slow, and tells which write was done differently")
	failures = flag.Int("failures", 50, "how many unexplained differences end the test")
)

// manyRequests is the variable of the environment that says how many requests are compared where no flag does.
const manyRequests = "TABLEWRIGHT_DIFFER_REQUESTS"

func wanted() int {
	if n, err := strconv.Atoi(os.Getenv(manyRequests)); err == nil {
		return n
	}
	return usualRequests
}

// pair is the two sides.
type pair struct {
	t            *testing.T
	client       *http.Client
	ours, theirs string // addresses
	sent         int
	repaired     map[string]bool   // tables that were repaired since their streams were compared
	streams      map[string][2]any // where to go on reading the streams of tables, on either side
}

func (p *pair) ask(operation string, in obj) (ours, theirs ledger.Answer) {
	p.t.Helper()
	body := []byte(ledger.Text(in))
	one := func(url string) ledger.Answer {
		status, got, err := peers.Send(context.Background(), p.client, url, operation, body)
		if err != nil {
			p.t.Fatalf("%s %s\n%v", operation, body, err)
		}
		return ledger.NewAnswer(status, got)
	}
	p.sent++
	return one(p.ours), one(p.theirs)
}

// must asks something that has to succeed on both sides.
func (p *pair) must(operation string, in obj) (ours, theirs ledger.Answer) {
	p.t.Helper()
	ours, theirs = p.ask(operation, in)
	if ours.Failed != "" || theirs.Failed != "" {
		p.t.Fatalf("%s %s\n  ours   %v\n  theirs %v", operation, ledger.Text(in), ours.Failed, theirs.Failed)
	}
	return ours, theirs
}

// newPair starts both sides, with the tables of shapes and some items in each.
func newPair(t *testing.T, g *gen) *pair {
	t.Helper()
	local, _ := peers.StartLocal(t, peers.Brief...)
	e, err := engine.Open("", &engine.Options{Region: "ddblocal", SweepEvery: -1, TimeToLiveRest: -1})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(e.Handler())
	t.Cleanup(func() {
		server.Close()
		if err := e.Check(); err != nil {
			t.Error(err)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	p := &pair{t: t, client: http.DefaultClient, ours: server.URL, theirs: local, repaired: map[string]bool{}, streams: map[string][2]any{}}
	for _, s := range shapes {
		p.must("CreateTable", s.create())
	}
	for _, in := range g.first() {
		p.must("PutItem", in)
	}
	return p
}

// first are the writes that tables begin with.
func (g *gen) first() (puts []obj) {
	for _, s := range shapes {
		for range 30 {
			puts = append(puts, obj{"TableName": s.name, "Item": g.item(s)})
		}
	}
	return puts
}

// TestAgainstLocal gives both sides the same requests. It fails on the first differences that no rule explains.
func TestAgainstLocal(t *testing.T) {
	g := newGen(*seed)
	p, dumped := newPair(t, g), dumpTo(t, *dump)
	for _, part := range []struct {
		name, file string
		run        func(c *comparison)
	}{
		{"requests", "testdata/differences.txt", func(c *comparison) { c.requests(g) }},
		{"statements", "testdata/statements.txt", func(c *comparison) { c.statements(newGen(*seed)) }},
		{"lives", "testdata/lives.txt", func(c *comparison) {
			g := newGen(*seed)
			g.first() // the same choices as if tables had just been filled
			c.lives(g)
		}},
	} {
		t.Run(part.name, func(t *testing.T) {
			rules, err := ledger.ReadFile(part.file)
			if err != nil {
				t.Fatal(err)
			}
			here := *p
			here.t = t
			c := &comparison{pair: &here, rules: rules, dumped: dumped, byOperation: map[string]int{}}
			part.run(c)
			c.finish(part.file)
		})
	}
}

// requests compares requests for items and tables.
func (c *comparison) requests(g *gen) {
	c.t.Helper()
	for _, r := range readRequests(c.t, "testdata/requests.txt") {
		c.compare(r)
	}
	for range share(100) {
		c.compare(g.next())
	}
	for range share(20) {
		c.compare(g.legacy())
	}
	for range share(6) {
		c.segments(g)
	}
	for range share(5) {
		c.tokens(g)
	}
	g.mistakes = 0
	for range share(20) {
		r := g.next()
		if g.chance(0.3) {
			r = g.legacy()
		}
		if c.compare(r) { // with one mistake in it, and not two of which either may be told
			g.mutate(r.in)
			c.compare(r)
		}
	}
}

// finish compares what the tables hold in the end, and tells how often the entries of a ledger were met, each of which has
// to be in the usual run.
func (c *comparison) finish(file string) {
	c.t.Helper()
	c.compareStreams()
	c.compareTables(c.rules)
	for _, r := range c.rules.Unused() {
		if *seed != 1 || *requests < usualRequests { // the usual requests are enough to meet all entries; others may not be
			break
		}
		c.t.Errorf("%s:%d: nothing differs like that any more", file, r.Line)
	}
	c.t.Logf("%d requests (%v), %d answered without an error by both, %d of wrong types; %d sent with pages and tables",
		c.compared, c.byOperation, c.answered, c.mistyped, c.sent)
	for _, r := range c.rules.Rules {
		c.t.Logf("%5d differences by the entry of line %d: %s", r.Used, r.Line, r.Why)
	}
}

// share is a percentage of the requests.
func share(percent int) int { return *requests * percent / 100 }

// comparison holds both sides against each other and the ledger.
type comparison struct {
	*pair
	rules       *ledger.Ledger
	dumped      func(*ledger.Rule, request, ledger.Difference)
	compared    int
	answered    int // by both without an error
	mistyped    int
	unexplained int
	token       int // the last one given
	byOperation map[string]int
}

// compare gives both sides a request, and answers whether both have done what it asks for.
func (c *comparison) compare(r request) (done bool) {
	c.t.Helper()
	c.compared++
	c.byOperation[r.operation]++
	if c.compared%streamsEvery == 0 {
		c.compareStreams()
	}
	if t := inputs[r.operation]; t != nil && !fits(t, r.in) {
		c.mistyped++
		ours := c.askOne(c.ours, r, nil)
		if !strings.HasPrefix(ours.Failed, "SerializationException") {
			c.fault("has members of a wrong type: "+ours.Failed, r)
		}
		return false
	}
	found, bothDid := c.exchange(r)
	if bothDid {
		c.answered++
	}
	c.report(r, found)
	// Of a batch of statements that is refused as a whole Local may have done some; of a missing item it makes one where an
	// update only removes.
	if len(found) > 0 || r.operation == "BatchExecuteStatement" && !bothDid || onlyRemoves(r.in) {
		c.repair(r)
	} else if *check && writes[r.operation] {
		c.checkTables(r)
	}
	return bothDid
}

var sectionWords = regexp.MustCompile(`(?i)\b(set|add)\b`)

// onlyRemoves is whether a request, or an action in it, is an update that only removes.
func onlyRemoves(in any) bool {
	switch in := in.(type) {
	case list:
		return slices.ContainsFunc(in, onlyRemoves)
	case obj:
		if text, ok := in["UpdateExpression"].(string); ok && !sectionWords.MatchString(text) {
			return true
		}
		if updates, ok := in["AttributeUpdates"].(obj); ok && !strings.Contains(ledger.Text(updates), `"Action":"ADD"`) &&
			!strings.Contains(ledger.Text(updates), `"Action":"PUT"`) {
			return true
		}
		for _, v := range in {
			if onlyRemoves(v) {
				return true
			}
		}
	}
	return false
}

// checkTables compares the items of the tables that a request names.
func (c *comparison) checkTables(r request) {
	c.t.Helper()
	for _, s := range shapes {
		if !s.named(ledger.Text(r.in)) {
			continue
		}
		for _, d := range ledger.Compare("Scan", ledger.Answer{Body: c.content(c.ours, s)}, ledger.Answer{Body: c.content(c.theirs, s)}) {
			if c.rules.Explain("", d) == nil {
				c.fault("leaves another item: "+d.String(), r)
				c.repair(r)
			}
		}
	}
}

// report tells differences that no rule explains.
func (c *comparison) report(r request, found []ledger.Difference) {
	c.t.Helper()
	for _, d := range found {
		if strings.HasPrefix(d.Ours, "InternalServerError") || strings.HasPrefix(d.Ours, "SerializationException") {
			c.fault(d.String(), r) // whatever the other side says
			continue
		}
		rule := c.rules.Explain(ledger.Text(r.in), d)
		c.dumped(rule, r, d)
		if rule == nil {
			c.fault(d.String(), c.smallest(r, d))
			return // where one thing is wrong many are
		}
	}
}

// fault reports a request that is not answered as it should be.
func (c *comparison) fault(what string, r request) {
	c.t.Helper()
	c.unexplained++
	c.t.Errorf("request %d: %s\n  %s", c.compared, what, shortened(r.operation+" "+ledger.Text(r.in)))
	if c.unexplained > *failures {
		c.t.Fatal("… and so on")
	}
}

// smallest is the smallest request found that both sides answer as differently as they do this one.
func (c *comparison) smallest(r request, d ledger.Difference) request {
	if d.At != "error" {
		return r // what is stored has its part in it
	}
	return request{operation: r.operation, in: shrunk(r.in, func(in obj) bool {
		ours, theirs := c.ask(r.operation, in)
		defer c.repair(request{operation: r.operation, in: in})
		return slices.ContainsFunc(ledger.Compare(r.operation, ours, theirs), func(found ledger.Difference) bool {
			return found.At == "error" && found.Ours == d.Ours && found.Theirs == d.Theirs
		})
	})}
}

// shortened is a text for people, who need not see all of what is too long.
func shortened(s string) string {
	if len(s) > 2000 {
		return s[:2000] + "…"
	}
	return s
}

// exchange sends a request to both sides and compares. Reads that are cut into pages are followed to their end.
func (p *pair) exchange(r request) (found []ledger.Difference, bothDid bool) {
	ours, theirs := p.ask(r.operation, r.in)
	bothDid = ours.Failed == "" && theirs.Failed == ""
	if r.operation == "CreateTable" && shapeOf(r.in["TableName"]) == nil && (ours.Failed == "" || theirs.Failed == "") {
		defer p.ask("DeleteTable", obj{"TableName": r.in["TableName"]})
	}
	if !bothDid {
		return ledger.Compare(r.operation, ours, theirs), false
	}
	if r.operation == "Query" || r.operation == "Scan" {
		return p.pages(r, ours, theirs), true
	}
	if r.operation == "ExecuteStatement" {
		return p.statementPages(r, ours, theirs), true
	}
	for _, a := range []ledger.Answer{ours, theirs} {
		unordered(a.Body)
	}
	return ledger.Compare(r.operation, ours, theirs), true
}

// unordered sorts what has no order in an answer: the items of a batch.
func unordered(body any) {
	m := body.(map[string]any)
	for _, member := range []string{"Responses", "ItemCollectionMetrics"} {
		if r, ok := m[member].(map[string]any); ok {
			for _, l := range r {
				ledger.Sort(l)
			}
		}
	}
}

// pages follows both sides through the pages of a Query or Scan. A Query of a table has one order, and its pages are
// compared one by one; items of an index that have equal keys, and those of a Scan, may come in any order, so that of
// these everything is compared that does not depend on it.
func (p *pair) pages(r request, ours, theirs ledger.Answer) []ledger.Difference {
	x := shapeOf(r.in["TableName"]).index(r.in["IndexName"])
	if r.in["ExclusiveStartKey"] != nil && (x != nil || r.operation == "Scan") {
		return nil // a place in an order that each side has its own of
	}
	total := r.operation == "Query" && x == nil
	a, b := &reading{x: x, query: r.operation == "Query"}, &reading{x: x, query: r.operation == "Query"}
	var found []ledger.Difference
	for n := 0; ; n++ {
		moreA, moreB := a.add(ours), b.add(theirs)
		if total {
			found = append(found, ledger.Compare(r.operation, ours, theirs)...)
		}
		if len(found) > 0 || moreA == nil && moreB == nil {
			break
		}
		if n > 1000 {
			p.t.Fatalf("no end of pages: %s", ledger.Text(r.in))
		}
		if moreA != nil {
			ours = p.askOne(p.ours, r, moreA)
		} else {
			ours = ledger.Answer{}
		}
		if moreB != nil {
			theirs = p.askOne(p.theirs, r, moreB)
		} else {
			theirs = ledger.Answer{}
		}
		for _, one := range []ledger.Answer{ours, theirs} {
			if one.Failed != "" {
				return append(found, ledger.Difference{Operation: r.operation, At: "page", Ours: ours.Failed, Theirs: theirs.Failed})
			}
		}
	}
	if !total {
		found = append(found, ledger.Compare(r.operation, a.answer(), b.answer())...)
	}
	return found
}

func (p *pair) askOne(url string, r request, from any) ledger.Answer {
	p.t.Helper()
	in := obj{}
	for k, v := range r.in {
		in[k] = v
	}
	in["ExclusiveStartKey"] = from
	return p.askAlone(url, r.operation, in)
}

// askAlone asks one side.
func (p *pair) askAlone(url, operation string, in obj) ledger.Answer {
	p.t.Helper()
	status, got, err := peers.Send(context.Background(), p.client, url, operation, []byte(ledger.Text(in)))
	if err != nil {
		p.t.Fatal(err)
	}
	p.sent++
	return ledger.NewAnswer(status, got)
}

// reading adds up the pages of a Query or Scan.
type reading struct {
	x        *indexShape
	query    bool
	pages    int
	items    []any
	order    []any // of a Query: the index keys, as far as items show them
	count    float64
	scanned  float64
	consumed any // of the first page, if it is all
}

// add adds a page and answers where the next one begins; nil: there is none.
func (r *reading) add(a ledger.Answer) (next any) {
	m, ok := a.Body.(map[string]any)
	if !ok {
		return nil
	}
	r.pages++
	r.consumed = m["ConsumedCapacity"]
	items, _ := m["Items"].([]any)
	r.items = append(r.items, items...)
	if r.query && r.x != nil {
		for _, i := range items {
			key := obj{}
			for _, name := range r.x.sort {
				key[name] = i.(map[string]any)[name]
			}
			r.order = append(r.order, key)
		}
	}
	r.count += m["Count"].(float64)
	r.scanned += m["ScannedCount"].(float64)
	return m["LastEvaluatedKey"]
}

func (r *reading) answer() ledger.Answer {
	ledger.Sort(r.items)
	body := map[string]any{"Items": r.items, "Order": r.order, "Count": r.count, "ScannedCount": r.scanned, "Pages": float64(r.pages)}
	if r.pages == 1 {
		body["ConsumedCapacity"] = r.consumed
	}
	return ledger.Answer{Status: 200, Body: body}
}

// content is all items of a table on one side.
func (p *pair) content(url string, s *shape) map[string]any {
	items := map[string]any{}
	var from any
	for {
		in := obj{"TableName": s.name}
		if from != nil {
			in["ExclusiveStartKey"] = from
		}
		status, got, err := peers.Send(context.Background(), p.client, url, "Scan", []byte(ledger.Text(in)))
		if err != nil || status != 200 {
			p.t.Fatalf("%v %d %s", err, status, got)
		}
		page := ledger.NewAnswer(status, got).Body.(map[string]any)
		for _, i := range page["Items"].([]any) {
			key := ""
			for _, name := range s.keys {
				key += ledger.Text(i.(map[string]any)[name])
			}
			items[key] = i
		}
		if from = page["LastEvaluatedKey"]; from == nil {
			return items
		}
	}
}

// writes are the operations that change items.
var writes = map[string]bool{"PutItem": true, "UpdateItem": true, "DeleteItem": true, "BatchWriteItem": true, "TransactWriteItems": true,
	"ExecuteStatement": true, "BatchExecuteStatement": true, "ExecuteTransaction": true}

// named reports whether the JSON of a request names a table: as a member, or in a statement.
func (s *shape) named(in string) bool {
	return strings.Contains(in, `"`+s.name+`"`) || strings.Contains(in, `"Statement"`) && strings.Contains(in, s.name)
}

// repair gives DynamoDB Local the engine's items of the tables that a request names, after the two have disagreed.
func (p *pair) repair(r request) {
	written := ledger.Text(r.in)
	for _, s := range shapes {
		if !s.named(written) || !writes[r.operation] {
			continue
		}
		ours, theirs := p.content(p.ours, s), p.content(p.theirs, s)
		do := func(operation string, in obj) {
			p.repaired[s.name] = true
			status, got, err := peers.Send(context.Background(), p.client, p.theirs, operation, []byte(ledger.Text(in)))
			if err != nil || status != 200 {
				p.t.Fatalf("%v %d %s", err, status, got)
			}
		}
		for key, i := range ours {
			if ledger.Text(i) != ledger.Text(theirs[key]) {
				do("PutItem", obj{"TableName": s.name, "Item": i})
			}
		}
		for key, i := range theirs {
			if ours[key] == nil {
				k := obj{}
				for _, name := range s.keys {
					k[name] = i.(map[string]any)[name]
				}
				do("DeleteItem", obj{"TableName": s.name, "Key": k})
			}
		}
	}
}

// compareTables holds the items of both sides against each other.
func (p *pair) compareTables(rules *ledger.Ledger) {
	p.t.Helper()
	for _, s := range shapes {
		ours, theirs := p.content(p.ours, s), p.content(p.theirs, s)
		for _, d := range ledger.Compare("Scan", ledger.Answer{Body: ours}, ledger.Answer{Body: theirs}) {
			if rules.Explain("", d) == nil {
				p.t.Errorf("%s is not the same in the end: %s", s.name, d)
			}
		}
	}
}

// readRequests reads requests that come before the generated ones: an operation and JSON on each line. Most are there
// because only they, or few others, meet some entry of the ledger.
func readRequests(t *testing.T, file string) []request {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var list []request
	for line := range strings.Lines(string(content)) {
		operation, in, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || operation == "#" {
			continue
		}
		r := request{operation: operation}
		if err := json.Unmarshal([]byte(in), &r.in); err != nil {
			t.Fatalf("%s: %v in %s", file, err, line)
		}
		list = append(list, r)
	}
	return list
}

// dumpTo answers a function that writes differences to a file.
func dumpTo(t *testing.T, file string) func(*ledger.Rule, request, ledger.Difference) {
	if file == "" {
		return func(*ledger.Rule, request, ledger.Difference) {}
	}
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return func(rule *ledger.Rule, r request, d ledger.Difference) {
		line := 0
		if rule != nil {
			line = rule.Line
		}
		fmt.Fprintf(f, "%d\t%s\t%s\t%s\t%s\t%s\n", line, d.Operation, d.At, d.Ours, d.Theirs, shortened(ledger.Text(r.in)))
	}
}
