package stats_test

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/stats"
)

// twins are what a program does, as requests of the operations of old and as statements of PartiQL: {} is a number that differs from
// call to call.
var twins = []struct {
	name             string
	operation, index string
	classic          string
	api, partiql     string
	as               string
	apart            []string // what statements are not the same in
}{
	{"get", "GetItem", "", `{"TableName":"Rooms","Key":{"room":{"S":"r{}"},"at":{"S":"1"}}}`,
		"ExecuteStatement", `{"Statement":"SELECT * FROM Rooms WHERE room = ? AND \"at\" = ?","Parameters":[{"S":"r{}"},{"S":"1"}]}`, "GetItem", nil},
	{"consistent get of some attributes", "GetItem", "", `{"TableName":"Rooms","ConsistentRead":true,"Key":{"room":{"S":"r{}"},"at":{"S":"1"}},"ProjectionExpression":"#g,#n","ExpressionAttributeNames":{"#g":"guest","#n":"note"}}`,
		"ExecuteStatement", `{"ConsistentRead":true,"Statement":"SELECT guest, note FROM \"Rooms\" WHERE \"at\" = '1' AND room = ?","Parameters":[{"S":"r{}"}]}`, "GetItem", nil},
	{"query", "Query", "", `{"TableName":"Rooms","KeyConditionExpression":"#r = :r","ExpressionAttributeNames":{"#r":"room"},"ExpressionAttributeValues":{":r":{"S":"r{}"}}}`,
		"ExecuteStatement", `{"Statement":"SELECT * FROM Rooms WHERE room = ?","Parameters":[{"S":"r{}"}]}`, "Query", nil},
	{"query with a filter", "Query", "", `{"TableName":"Rooms","Limit":1,"KeyConditionExpression":"#r = :r AND #a >= :a","FilterExpression":"#n = :n","ExpressionAttributeNames":{"#r":"room","#a":"at","#n":"note"},` +
		`"ExpressionAttributeValues":{":r":{"S":"r{}"},":a":{"S":"1"},":n":{"S":"quiet"}}}`,
		"ExecuteStatement", `{"Limit":1,"Statement":"SELECT * FROM Rooms WHERE room = ? AND \"at\" >= '1' AND note = 'quiet'","Parameters":[{"S":"r{}"}]}`, "Query", nil},
	{"query of an index", "Query", "ByGuest", `{"TableName":"Rooms","IndexName":"ByGuest","KeyConditionExpression":"#g = :g","ExpressionAttributeNames":{"#g":"guest"},"ExpressionAttributeValues":{":g":{"S":"g{}"}}}`,
		"ExecuteStatement", `{"Statement":"SELECT * FROM Rooms.ByGuest WHERE guest = ?","Parameters":[{"S":"g{}"}]}`, "Query", nil},
	{"scan", "Scan", "", `{"TableName":"Rooms","FilterExpression":"#n = :n","ExpressionAttributeNames":{"#n":"note"},"ExpressionAttributeValues":{":n":{"S":"quiet"}}}`,
		"ExecuteStatement", `{"Statement":"SELECT * FROM Rooms WHERE note = 'quiet'"}`, "Scan", nil},
	{"put", "PutItem", "", `{"TableName":"Rooms","Item":{"room":{"S":"n{}"},"at":{"S":"1"},"guest":{"S":"g1"},"beds":{"N":"2"}},"ConditionExpression":"attribute_not_exists(#r)","ExpressionAttributeNames":{"#r":"room"}}`,
		"ExecuteStatement", `{"Statement":"INSERT INTO Rooms VALUE {'room': ?, 'at': '1', 'guest': ?, 'beds': 2}","Parameters":[{"S":"n{}"},{"S":"g1"}]}`, "PutItem", []string{".episodes."}}, // of INSERT in a row one batch could be made
	{"update", "UpdateItem", "", `{"TableName":"Rooms","Key":{"room":{"S":"r{}"},"at":{"S":"1"}},"UpdateExpression":"SET #g = :g, #b = #b + :b REMOVE #x","ConditionExpression":"#n = :n","ReturnValues":"ALL_NEW",` +
		`"ExpressionAttributeNames":{"#g":"guest","#b":"beds","#n":"note","#x":"extra"},"ExpressionAttributeValues":{":g":{"S":"g{}"},":b":{"N":"1"},":n":{"S":"quiet"}}}`,
		"ExecuteStatement", `{"Statement":"UPDATE Rooms SET guest = ?, beds = beds + 1 REMOVE extra WHERE room = ? AND \"at\" = '1' AND note = 'quiet' RETURNING ALL NEW *","Parameters":[{"S":"g{}"},{"S":"r{}"}]}`, "UpdateItem", nil},
	{"delete", "DeleteItem", "", `{"TableName":"Rooms","Key":{"room":{"S":"d{}"},"at":{"S":"1"}}}`,
		"ExecuteStatement", `{"Statement":"DELETE FROM Rooms WHERE room = ? AND \"at\" = ?","Parameters":[{"S":"d{}"},{"S":"1"}]}`, "DeleteItem", nil},
	{"batch get", "BatchGetItem", "", `{"RequestItems":{"Rooms":{"Keys":[{"room":{"S":"r{}"},"at":{"S":"1"}},{"room":{"S":"x{}"},"at":{"S":"1"}}]}}}`,
		"BatchExecuteStatement", `{"Statements":[{"Statement":"SELECT * FROM Rooms WHERE room = ? AND \"at\" = '1'","Parameters":[{"S":"r{}"}]},{"Statement":"SELECT * FROM Rooms WHERE room = ? AND \"at\" = '1'","Parameters":[{"S":"x{}"}]}]}`, "BatchGetItem", nil},
	{"batch write", "BatchWriteItem", "", `{"RequestItems":{"Rooms":[{"PutRequest":{"Item":{"room":{"S":"b{}"},"at":{"S":"1"},"guest":{"S":"g1"}}}},{"DeleteRequest":{"Key":{"room":{"S":"e{}"},"at":{"S":"1"}}}}]}}`,
		"BatchExecuteStatement", `{"Statements":[{"Statement":"INSERT INTO Rooms VALUE {'room': ?, 'at': '1', 'guest': 'g1'}","Parameters":[{"S":"b{}"}]},{"Statement":"DELETE FROM Rooms WHERE room = ? AND \"at\" = '1'","Parameters":[{"S":"e{}"}]}]}`, "BatchWriteItem", []string{".operations.conditional ", ".room.tested "}}, // INSERT has its condition there too
	{"transaction of gets", "TransactGetItems", "", `{"TransactItems":[{"Get":{"TableName":"Rooms","Key":{"room":{"S":"r{}"},"at":{"S":"1"}}}},{"Get":{"TableName":"Rooms","Key":{"room":{"S":"x{}"},"at":{"S":"1"}}}}]}`,
		"ExecuteTransaction", `{"TransactStatements":[{"Statement":"SELECT * FROM Rooms WHERE room = ? AND \"at\" = '1'","Parameters":[{"S":"r{}"}]},{"Statement":"SELECT * FROM Rooms WHERE room = ? AND \"at\" = '1'","Parameters":[{"S":"x{}"}]}]}`, "TransactGetItems", nil},
	{"transaction of writes", "TransactWriteItems", "", `{"ClientRequestToken":"t{}","TransactItems":[{"Put":{"TableName":"Rooms","Item":{"room":{"S":"t{}"},"at":{"S":"1"}},"ConditionExpression":"attribute_not_exists(#r)","ExpressionAttributeNames":{"#r":"room"}}},` +
		`{"Update":{"TableName":"Rooms","Key":{"room":{"S":"r{}"},"at":{"S":"1"}},"UpdateExpression":"SET #g = :g","ExpressionAttributeNames":{"#g":"guest"},"ExpressionAttributeValues":{":g":{"S":"g{}"}}}},` +
		`{"ConditionCheck":{"TableName":"Rooms","Key":{"room":{"S":"r0"},"at":{"S":"0"}},"ConditionExpression":"#n = :n","ExpressionAttributeNames":{"#n":"note"},"ExpressionAttributeValues":{":n":{"S":"quiet"}}}}]}`,
		"ExecuteTransaction", `{"ClientRequestToken":"t{}","TransactStatements":[{"Statement":"INSERT INTO Rooms VALUE {'room': ?, 'at': '1'}","Parameters":[{"S":"t{}"}]},` +
			`{"Statement":"UPDATE Rooms SET guest = ? WHERE room = ? AND \"at\" = '1'","Parameters":[{"S":"g{}"},{"S":"r{}"}]},` +
			`{"Statement":"EXISTS(SELECT * FROM Rooms WHERE room = 'r0' AND \"at\" = '0' AND note = 'quiet')"}]}`, "TransactWriteItems", nil},
}

// program runs a request 20 times as one of a program would, on rooms r0 to r9, and is what is known of it then.
func program(t *testing.T, operation, index, request string) *stats.Snapshot {
	t.Helper()
	clock := &settable{at: time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)}
	c := stats.NewCollector(stats.Options{Detail: 1, Clock: clock})
	db := tablewright.New(tablewright.InProcess(engine.New(t)), tablewright.Options{Hooks: []tablewright.Hook{tablewright.Statistics(c)}})
	f := &foreign{t: t, c: c, way: db.Transport()}
	f.do(t.Context(), "CreateTable", "", "", roomsSchema)
	f.do(t.Context(), "PutItem", "Rooms", "", `{"TableName":"Rooms","Item":{"room":{"S":"r0"},"at":{"S":"0"},"note":{"S":"quiet"}}}`)
	for i := range 10 {
		f.do(t.Context(), "PutItem", "Rooms", "", strings.ReplaceAll(`{"TableName":"Rooms","Item":{"room":{"S":"r{}"},"at":{"S":"1"},"note":{"S":"quiet"},"guest":{"S":"g{}"},"beds":{"N":"2"}}}`, "{}", fmt.Sprint(i)))
	}
	clock.at = clock.at.Add(time.Minute)
	c.Reset()
	table := "Rooms"
	if strings.HasPrefix(operation, "Batch") || strings.Contains(operation, "Trans") || operation == "ExecuteStatement" {
		table = ""
	}
	journal := c.Journal(stats.JournalOptions{Keys: true})
	for i := range 20 {
		n := fmt.Sprint(i)
		if i >= 10 && !strings.Contains(request, `{"S":"n{}"}`) && !strings.Contains(request, `b{}`) && !strings.Contains(request, `t{}`) {
			n = fmt.Sprint(i - 10)
		}
		if i >= 10 && strings.Contains(request, `t{}`) {
			break
		}
		clock.at = clock.at.Add(5 * time.Millisecond)
		f.do(t.Context(), operation, table, index, strings.ReplaceAll(request, "{}", n))
	}
	clock.at = clock.at.Add(time.Minute)
	s := c.Snapshot()
	again := journal.Snapshot(stats.Options{Detail: 1, Clock: clock})
	compareLines(t, strings.Split(comparable(t, s, false), "\n"), strings.Split(comparable(t, again, false), "\n"))
	return s
}

// comparable is a snapshot as text, without times, secrets and sizes of requests; plain without what a statement is called.
func comparable(t *testing.T, s *stats.Snapshot, plain bool) string {
	t.Helper()
	if plain {
		s = s.WithoutStatements()
	}
	var tree map[string]any
	b, err := json.Marshal(s)
	if err == nil {
		err = json.Unmarshal(b, &tree)
	}
	if err != nil {
		t.Fatal(err)
	}
	drop := []string{"from", "to", "watched", "keySpace", "hash", "partition", "values", "value", "first", "last", "at", "took", "peakMinute"}
	if plain {
		drop = append(drop, "sent", "received", "as", "firstAs", "distinct", "partitions", "course")
	}
	var lines []string
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				if path == ".episodes" && slices.Contains([]string{"key", "items", "pairs", "itemSketch"}, name) { // of an example, and of those that were remembered
					continue
				}
				if !slices.Contains(drop, name) || name == "first" && path == "" {
					walk(path+"."+name, v[name])
				}
			}
		case []any:
			var all []string
			outer := lines
			for _, one := range v {
				lines = nil
				walk(path, one)
				all = append(all, strings.Join(lines, "\n"))
			}
			slices.Sort(all)
			lines = append(outer, all...)
		case float64:
			lines = append(lines, fmt.Sprintf("%s %.6g", path, v))
		default:
			lines = append(lines, fmt.Sprint(path, " ", v))
		}
	}
	walk("", tree)
	return strings.Join(lines, "\n")
}

// A program of statements is seen as one that does the same without, but for what its requests and answers look like.
func TestStatementsAreWhatTheyDo(t *testing.T) {
	for _, twin := range twins {
		t.Run(twin.name, func(t *testing.T) {
			classic := comparable(t, program(t, twin.operation, twin.index, twin.classic), true)
			s := program(t, twin.api, "", twin.partiql)
			partiql := comparable(t, s, true)
			for _, o := range s.Operations {
				if o.Operation != twin.api || o.As != twin.as {
					t.Errorf("%s counts as %s", o.Operation, o.As)
				}
			}
			a, b := strings.Split(classic, "\n"), strings.Split(partiql, "\n")
			for _, apart := range twin.apart {
				is := func(line string) bool { return strings.Contains(line, apart) }
				if slices.Equal(slices.Collect(filtered(a, is)), slices.Collect(filtered(b, is))) {
					t.Errorf("statements are the same in %s", apart)
				}
				a, b = slices.DeleteFunc(a, is), slices.DeleteFunc(b, is)
			}
			compareLines(t, a, b)
		})
	}
}

func filtered(all []string, is func(string) bool) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, one := range all {
			if is(one) && !yield(one) {
				return
			}
		}
	}
}

// compareLines holds b to have the lines of a, and no others.
func compareLines(t *testing.T, a, b []string) {
	t.Helper()
	for _, line := range a {
		if !slices.Contains(b, line) {
			t.Errorf("there is no %s", line)
		}
	}
	for _, line := range b {
		if !slices.Contains(a, line) {
			t.Errorf("there is %s", line)
		}
	}
}
