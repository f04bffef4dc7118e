package engine_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// The load of TestKill. Clients write over HTTP, each one request at a time, and know what they have sent and what was
// answered:
//
//   - a writer has a partition of its own and changes it by transactions, batches and single writes. What its partition
//     holds is therefore known after every answer, and is one of two things while a request has none.
//   - a mover moves units between accounts that all movers share, with a record of each move in the same transaction.
//     The accounts must always be what the records say. Between crashes the records are added up and deleted, so that many
//     rounds take no longer each than a few.
//   - an indexer adds an index to the table and deletes it again, so that kills also come while one is filled.
//
// After a restart, what had no answer is sent again as it was: the token of a transaction makes that harmless.

const (
	crashWriters  = 6
	crashMovers   = 3
	crashAccounts = 4
	crashKeys     = 40 // sort keys that a writer uses
)

type sender = func(operation, request string) ([]byte, error)

type crashClient interface {
	run(t *testing.T, send sender)
}

type crashLoad struct {
	writers []*crashWriter
	movers  []*crashMover
	indexer crashIndexer
	settled [crashAccounts]int // what the accounts had from the moves whose records were deleted
}

func newCrashLoad(seed uint64) *crashLoad {
	l := &crashLoad{}
	for i := range crashWriters {
		l.writers = append(l.writers, &crashWriter{id: i, random: rand.New(rand.NewPCG(seed, uint64(i+1))), items: map[int]crashItem{}})
	}
	for i := range crashMovers {
		l.movers = append(l.movers, &crashMover{id: i, random: rand.New(rand.NewPCG(seed, uint64(100+i)))})
	}
	return l
}

func (l *crashLoad) clients() (all []crashClient) {
	for _, w := range l.writers {
		all = append(all, w)
	}
	for _, m := range l.movers {
		all = append(all, m)
	}
	return append(all, &l.indexer)
}

// counts are the writes that were answered and those still without an answer.
func (l *crashLoad) counts() (answered, flying int) {
	for _, w := range l.writers {
		answered += w.version
		if w.flying != nil {
			flying++
		}
	}
	for _, m := range l.movers {
		answered += m.answered
		if m.flying != "" {
			flying++
		}
	}
	return answered, flying
}

// crashItem is what a writer stores under a sort key. It is in the global index gsi if it has g, in the local index if
// it has l.
type crashItem struct {
	version int
	g, l    string
	fill    int
}

func (it crashItem) attributes() string {
	s := fmt.Sprintf(`"h":{"N":"%d"},"x":{"S":"%s"}`, it.version, strings.Repeat("x", it.fill))
	if it.g != "" {
		s += `,"g":{"S":"` + it.g + `"}`
	}
	if it.l != "" {
		s += `,"l":{"S":"` + it.l + `"}`
	}
	return s
}

// crashStep is a request of a writer, and what its partition is afterwards.
type crashStep struct {
	operation, request string
	after              map[int]crashItem
}

type crashWriter struct {
	id      int
	random  *rand.Rand
	version int               // of the last step that is done
	items   map[int]crashItem // that this made
	flying  *crashStep        // sent without an answer
}

func (w *crashWriter) run(t *testing.T, send sender) {
	for {
		w.flying = w.next()
		if _, err := send(w.flying.operation, w.flying.request); err != nil {
			var refused *refusedError
			if errors.As(err, &refused) {
				t.Errorf("writer %d: %v", w.id, err)
			}
			return
		}
		w.done()
	}
}

func (w *crashWriter) done() {
	w.version++
	w.items, w.flying = w.flying.after, nil
}

// next makes the next step at random.
func (w *crashWriter) next() *crashStep {
	r, after := w.random, maps.Clone(w.items)
	kind, n := r.IntN(3), 1
	switch kind {
	case 0:
		n = 2 + r.IntN(5)
	case 1:
		n = 2 + r.IntN(24)
	}
	var actions []string
	var operation string
	for _, sk := range r.Perm(crashKeys)[:n] {
		verb := []string{"Put", "Delete", "Update"}[r.IntN(3)]
		if kind == 1 && verb == "Update" {
			verb = "Put"
		}
		operation = verb + "Item"
		actions = append(actions, w.action(kind, verb, sk, after))
	}
	list := strings.Join(actions, ",")
	switch kind {
	case 0:
		return &crashStep{"TransactWriteItems", fmt.Sprintf(`{"ClientRequestToken":"writer-%d-%d","TransactItems":[%s]}`, w.id, w.version, list), after}
	case 1:
		return &crashStep{"BatchWriteItem", `{"RequestItems":{"tbl":[` + list + `]}}`, after}
	}
	return &crashStep{operation, list, after}
}

// action makes one write of a step of a kind, and does it to the items after the step. In a transaction it has a
// condition that only holds as long as it is not done: done twice, it would be refused.
func (w *crashWriter) action(kind int, verb string, sk int, after map[int]crashItem) string {
	r := w.random
	key := fmt.Sprintf(`"pk":{"S":"w%d"},"sk":{"N":"%d"}`, w.id, sk)
	old, had := after[sk]
	it := crashItem{version: w.version + 1, fill: r.IntN(200)}
	if r.IntN(20) == 0 {
		it.fill = 6000
	}
	if r.IntN(4) > 0 {
		it.g = fmt.Sprint("g", r.IntN(3))
	}
	if r.IntN(2) > 0 {
		it.l = fmt.Sprint("l", r.IntN(100))
	}
	if verb == "Delete" {
		delete(after, sk)
	} else {
		after[sk] = it
	}
	if kind == 1 {
		if verb == "Put" {
			return `{"PutRequest":{"Item":{` + key + `,` + it.attributes() + `}}}`
		}
		return `{"DeleteRequest":{"Key":{` + key + `}}}`
	}
	request, values := `{"TableName":"tbl",`, ""
	switch verb {
	case "Put":
		request += `"Item":{` + key + `,` + it.attributes() + `}`
	case "Delete":
		request += `"Key":{` + key + `}`
	case "Update":
		set, remove := "SET h = :h, x = :x", ""
		values = fmt.Sprintf(`,":h":{"N":"%d"},":x":{"S":"%s"}`, it.version, strings.Repeat("x", it.fill))
		for name, value := range map[string]string{"g": it.g, "l": it.l} {
			if value == "" {
				remove += ", " + name
				continue
			}
			set += ", " + name + " = :" + name
			values += `,":` + name + `":{"S":"` + value + `"}`
		}
		if remove != "" {
			set += " REMOVE" + remove[1:]
		}
		request += `"Key":{` + key + `},"UpdateExpression":"` + set + `"`
	}
	if kind == 0 {
		if had {
			request += `,"ConditionExpression":"h = :old"`
			values += fmt.Sprintf(`,":old":{"N":"%d"}`, old.version)
		} else {
			request += `,"ConditionExpression":"attribute_not_exists(pk)"`
		}
	}
	if values != "" {
		request += `,"ExpressionAttributeValues":{` + values[1:] + `}`
	}
	request += `}`
	if kind == 0 {
		return `{"` + verb + `":` + request + `}`
	}
	return request
}

type crashMover struct {
	id       int
	random   *rand.Rand
	answered int
	settled  int    // of these, the first, whose records were deleted
	flying   string // a request without an answer
}

func (m *crashMover) run(t *testing.T, send sender) {
	for {
		a := m.random.IntN(crashAccounts)
		b := (a + 1 + m.random.IntN(crashAccounts-1)) % crashAccounts
		id := m.answered*crashMovers + m.id
		m.flying = fmt.Sprintf(`{"ClientRequestToken":"move-%[1]d","TransactItems":[
			{"Update":{"TableName":"tbl","Key":{"pk":{"S":"account"},"sk":{"N":"%[2]d"}},"UpdateExpression":"ADD h :n SET g = :g","ExpressionAttributeValues":{":n":{"N":"-1"},":g":{"S":"account"}}}},
			{"Update":{"TableName":"tbl","Key":{"pk":{"S":"account"},"sk":{"N":"%[3]d"}},"UpdateExpression":"ADD h :n SET g = :g","ExpressionAttributeValues":{":n":{"N":"1"},":g":{"S":"account"}}}},
			{"Put":{"TableName":"tbl","Item":{"pk":{"S":"move"},"sk":{"N":"%[1]d"},"from":{"N":"%[2]d"},"to":{"N":"%[3]d"}},"ConditionExpression":"attribute_not_exists(pk)"}}]}`, id, a, b)
		_, err := send("TransactWriteItems", m.flying)
		var refused *refusedError
		for errors.As(err, &refused) && strings.Contains(refused.body, "TransactionConflict") { // of another mover, on an account
			_, err = send("TransactWriteItems", m.flying)
		}
		if err != nil {
			if errors.As(err, &refused) {
				if strings.Contains(refused.body, `"TransactionConflict"`) && !strings.Contains(refused.body, `"ConditionalCheckFailed"`) {
					continue // another mover is on the account: nothing was done
				}
				t.Errorf("mover %d: %v", m.id, err)
			}
			return
		}
		m.answered++
		m.flying = ""
	}
}

// crashIndexer adds an index and deletes it again, one time of four while it is filled.
type crashIndexer struct{ added, deleted int }

func (x *crashIndexer) run(t *testing.T, send sender) {
	for {
		request, done := `{"Delete":{"IndexName":"extra"}}`, &x.deleted
		if x.added == x.deleted {
			request, done = `{"Create":{"IndexName":"extra","KeySchema":[{"AttributeName":"h","KeyType":"HASH"},{"AttributeName":"pk","KeyType":"RANGE"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}}`, &x.added
		}
		_, err := send("UpdateTable", `{"TableName":"tbl","AttributeDefinitions":[{"AttributeName":"h","AttributeType":"N"},{"AttributeName":"pk","AttributeType":"S"}],"GlobalSecondaryIndexUpdates":[`+request+`]}`)
		var refused *refusedError
		switch {
		case err == nil:
			*done++
		case !errors.As(err, &refused):
			return
		case strings.Contains(refused.body, "an index which already exists"), strings.Contains(refused.body, "Index extra for table"):
			*done++ // was done without an answer
		case strings.Contains(refused.body, "LimitExceededException"): // one at a time: the one without an answer is still filled
		default:
			t.Errorf("indexer: %v", err)
			return
		}
		for x.added%4 != 0 || refused != nil {
			table, err := send("DescribeTable", `{"TableName":"tbl"}`)
			if err != nil {
				return
			}
			if !bytes.Contains(table, []byte("Backfilling")) {
				break
			}
			time.Sleep(2 * time.Millisecond) // as a client of another process has to
		}
	}
}

// resend sends again what has no answer.
func (l *crashLoad) resend(t *testing.T, send sender) {
	t.Helper()
	for _, w := range l.writers {
		if w.flying == nil {
			continue
		}
		if _, err := send(w.flying.operation, w.flying.request); err != nil {
			t.Errorf("writer %d, again: %v", w.id, err)
			continue
		}
		w.done()
	}
	for _, m := range l.movers {
		if m.flying == "" {
			continue
		}
		if _, err := send("TransactWriteItems", m.flying); err != nil {
			t.Errorf("mover %d, again: %v", m.id, err)
			continue
		}
		m.answered++
		m.flying = ""
	}
}

// verify compares all that is stored with what was answered.
func (l *crashLoad) verify(t *testing.T, send sender) {
	t.Helper()
	indexed := map[string]crashItem{} // what gsi must have
	for _, w := range l.writers {
		w.verify(t, send)
		for sk, it := range w.items {
			if it.g != "" {
				indexed[fmt.Sprintf("w%d/%d", w.id, sk)] = it
			}
		}
	}
	for g := range 3 {
		for _, row := range crashQuery(t, send, `"IndexName":"gsi","KeyConditionExpression":"g = :k"`, fmt.Sprint("g", g)) {
			if name := row.PK.S + "/" + row.SK.N; row.item() != indexed[name] {
				t.Errorf("gsi has %s as %+v, want %+v", name, row.item(), indexed[name])
			} else {
				delete(indexed, name)
			}
		}
	}
	for name, it := range indexed {
		t.Errorf("gsi lacks %s, %+v", name, it)
	}
	l.verifyMoves(t, send)
}

// verify finds the writer's partition as it was when the last request was answered, or as the request without an answer
// has made it.
func (w *crashWriter) verify(t *testing.T, send sender) {
	t.Helper()
	pk := fmt.Sprint("w", w.id)
	stored := map[int]crashItem{}
	for _, row := range crashQuery(t, send, `"KeyConditionExpression":"pk = :k"`, pk) {
		stored[row.sort(t)] = row.item()
	}
	switch {
	case w.flying != nil && maps.Equal(stored, w.flying.after):
		w.items = stored
	case !maps.Equal(stored, w.items):
		t.Errorf("writer %d, version %d:\nfound %+v\nwant  %+v", w.id, w.version, stored, w.items)
		if w.flying != nil {
			t.Errorf("or, after %s: %+v", w.flying.operation, w.flying.after)
		}
	}
	local := map[int]string{}
	for _, row := range crashQuery(t, send, `"IndexName":"lsi","KeyConditionExpression":"pk = :k"`, pk) {
		local[row.sort(t)] = row.L.S
	}
	for sk, it := range stored {
		if it.l != local[sk] {
			t.Errorf("writer %d: lsi has item %d under %q, want %q", w.id, sk, local[sk], it.l)
		}
		delete(local, sk)
	}
	if len(local) > 0 {
		t.Errorf("writer %d: lsi has %v, which are not in the table", w.id, local)
	}
}

// verifyMoves holds the accounts to the records, and the records to the answers.
func (l *crashLoad) verifyMoves(t *testing.T, send sender) {
	t.Helper()
	want, found := l.settled, [crashAccounts]int{}
	records := map[int]bool{}
	for _, row := range crashQuery(t, send, `"KeyConditionExpression":"pk = :k"`, "move") {
		records[row.sort(t)] = true
		want[row.From.N]--
		want[row.To.N]++
	}
	for _, row := range crashQuery(t, send, `"KeyConditionExpression":"pk = :k"`, "account") {
		found[row.sort(t)] = row.H.N
	}
	if found != want {
		t.Errorf("the accounts are %v, but their moves make %v", found, want)
	}
	allowed := 0
	for _, m := range l.movers {
		for i := m.settled; i < m.answered; i++ {
			if !records[i*crashMovers+m.id] {
				t.Errorf("move %d of mover %d was answered and is lost", i, m.id)
			}
		}
		allowed += m.answered - m.settled
		if m.flying != "" && records[m.answered*crashMovers+m.id] {
			allowed++
		}
	}
	if len(records) != allowed {
		t.Errorf("there are %d moves, want %d", len(records), allowed)
	}
}

// settle adds up the moves that were answered, all of which were verified, and deletes their records.
func (l *crashLoad) settle(t *testing.T, send sender) {
	t.Helper()
	for _, row := range crashQuery(t, send, `"KeyConditionExpression":"pk = :k"`, "account") {
		l.settled[row.sort(t)] = row.H.N
	}
	for _, m := range l.movers {
		for ; m.settled < m.answered; m.settled++ {
			if _, err := send("DeleteItem", fmt.Sprintf(`{"TableName":"tbl","Key":{"pk":{"S":"move"},"sk":{"N":"%d"}}}`, m.settled*crashMovers+m.id)); err != nil {
				t.Errorf("settling move %d of mover %d: %v", m.settled, m.id, err)
				return
			}
		}
	}
}

// crashRow is an item or entry as it comes from a query.
type crashRow struct {
	PK, G, L, X struct{ S string }
	SK          struct{ N string }
	H, From, To struct {
		N int `json:",string"`
	}
}

func (r crashRow) sort(t *testing.T) (n int) {
	if _, err := fmt.Sscan(r.SK.N, &n); err != nil {
		t.Error(err)
	}
	return n
}

func (r crashRow) item() crashItem {
	return crashItem{version: r.H.N, g: r.G.S, l: r.L.S, fill: len(r.X.S)}
}

// crashQuery reads all pages.
func crashQuery(t *testing.T, send sender, what, key string) (rows []crashRow) {
	t.Helper()
	start := ""
	for {
		body, err := send("Query", `{"TableName":"tbl",`+what+`,"ExpressionAttributeValues":{":k":{"S":"`+key+`"}}`+start+`}`)
		if err != nil {
			t.Error(err)
			return rows
		}
		var page struct {
			Items            []crashRow
			LastEvaluatedKey json.RawMessage
		}
		if err := json.Unmarshal(body, &page); err != nil {
			t.Error(err)
			return rows
		}
		rows = append(rows, page.Items...)
		if page.LastEvaluatedKey == nil {
			return rows
		}
		start = `,"ExclusiveStartKey":` + string(page.LastEvaluatedKey)
	}
}
