package differ_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tablewright/tablewright/internal/peers/ledger"
)

// usualLives is how many tables live in a usual run: some seconds, most of them DynamoDB Local's.
const usualLives = 12

// lives makes tables, changes them in every way there is while items are written, and deletes them, on both sides: each
// request has to succeed or be refused on both, and what the table is afterwards, its indexes' content included, has to be
// the same. testdata/lives.txt lists what differs.
func (c *comparison) lives(g *gen) {
	c.t.Helper()
	for n := range usualLives * max(*requests, usualRequests) / usualRequests {
		l := &life{comparison: c, g: g, name: fmt.Sprintf("life-%d", n)}
		l.live()
	}
}

// life is a table from its making to its end.
type life struct {
	*comparison
	g    *gen
	name string
	gone bool // it was deleted
}

// live takes a table through its life.
func (l *life) live() {
	l.t.Helper()
	in := obj{
		"TableName": l.name, "KeySchema": keySchema([]string{"pk"}, []string{"sk"}), "BillingMode": "PAY_PER_REQUEST",
		"AttributeDefinitions": definitions("pk", "sk"),
	}
	if l.g.chance(0.5) {
		in["BillingMode"] = "PROVISIONED"
		in["ProvisionedThroughput"] = l.throughput()
	}
	if l.g.chance(0.4) {
		in["AttributeDefinitions"] = definitions("pk", "sk", "k1")
		x := l.index("first", "k1")
		if in["BillingMode"] == "PROVISIONED" {
			x["ProvisionedThroughput"] = l.throughput()
		}
		in["GlobalSecondaryIndexes"] = list{x}
	}
	if l.g.chance(0.3) {
		in["StreamSpecification"] = obj{"StreamEnabled": true, "StreamViewType": pick(l.g, "KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES")}
	}
	if l.g.chance(0.3) {
		in["DeletionProtectionEnabled"] = l.g.chance(0.5)
	}
	if !l.step("CreateTable", in) {
		return
	}
	for range 10 {
		l.write()
		switch n := l.g.IntN(20); {
		case n < 15:
			l.step("UpdateTable", l.update())
		case n < 19:
			l.step("UpdateTimeToLive", obj{"TableName": l.name, "TimeToLiveSpecification": obj{"AttributeName": pick(l.g, "ttl", "ttl", "other"), "Enabled": l.g.chance(0.6)}})
		default:
			if l.step("DeleteTable", obj{"TableName": l.name}); l.gone {
				return
			}
		}
		if l.gone {
			return
		}
	}
	l.ask("UpdateTable", obj{"TableName": l.name, "DeletionProtectionEnabled": false}) // whether it was on is in the descriptions
	l.settle()
	l.step("DeleteTable", obj{"TableName": l.name})
}

func definitions(names ...string) list {
	var all list
	for _, name := range names {
		kind := "S"
		if name == "sk" {
			kind = "N"
		}
		all = append(all, obj{"AttributeName": name, "AttributeType": kind})
	}
	return all
}

func (l *life) throughput() obj {
	return obj{"ReadCapacityUnits": 1 + l.g.IntN(5), "WriteCapacityUnits": 1 + l.g.IntN(5)}
}

func (l *life) index(name string, keys ...string) obj {
	p := obj{"ProjectionType": pick(l.g, "ALL", "KEYS_ONLY")}
	return obj{"IndexName": name, "KeySchema": keySchema(keys[:1], keys[1:]), "Projection": p}
}

// update is a change of the table, often one that its present state does not allow.
func (l *life) update() obj {
	g := l.g
	in := obj{"TableName": l.name}
	switch g.IntN(9) {
	case 0:
		in["BillingMode"] = "PAY_PER_REQUEST"
		if g.chance(0.1) {
			in["ProvisionedThroughput"] = l.throughput()
		}
	case 1:
		in["BillingMode"], in["ProvisionedThroughput"] = "PROVISIONED", l.throughput()
	case 2:
		in["ProvisionedThroughput"] = l.throughput()
	case 3:
		in["StreamSpecification"] = pick(g, obj{"StreamEnabled": true, "StreamViewType": "KEYS_ONLY"}, obj{"StreamEnabled": false}, obj{"StreamEnabled": true})
	case 4:
		in["DeletionProtectionEnabled"] = g.chance(0.4)
	case 5, 6:
		name, key := pick(g, "first", "second", "third"), pick(g, "k1", "k2")
		x := l.index(name, key)
		if g.chance(0.3) {
			x = l.index(name, key, "sk")
		}
		if g.chance(0.5) {
			x["ProvisionedThroughput"] = l.throughput()
		}
		in["AttributeDefinitions"] = definitions("pk", "sk", key)
		in["GlobalSecondaryIndexUpdates"] = list{obj{"Create": x}}
	case 7:
		in["GlobalSecondaryIndexUpdates"] = list{obj{"Delete": obj{"IndexName": pick(g, "first", "second", "third")}}}
	default:
		in["GlobalSecondaryIndexUpdates"] = list{obj{"Update": obj{"IndexName": pick(g, "first", "second"), "ProvisionedThroughput": l.throughput()}}}
	}
	return in
}

// write puts some items, in every index or in none.
func (l *life) write() {
	for range 3 {
		item := obj{"pk": l.g.keyValue("S", 3), "sk": l.g.keyValue("N", 4), "a": l.g.value("S", 1)}
		for _, k := range []string{"k1", "k2"} {
			if l.g.chance(0.6) {
				item[k] = l.g.keyValue("S", 3)
			}
		}
		l.compare(request{operation: "PutItem", in: obj{"TableName": l.name, "Item": item}})
	}
}

// step changes the table on both sides, and compares what it is then. It answers whether both did it.
func (l *life) step(operation string, in obj) bool {
	l.t.Helper()
	r := request{operation: operation, in: in}
	l.compared++
	l.byOperation[operation]++
	ours, theirs := l.ask(operation, in)
	l.report(r, ledger.Compare(operation, ledger.Answer{Failed: ours.Failed}, ledger.Answer{Failed: theirs.Failed}))
	if (ours.Failed == "") != (theirs.Failed == "") { // a difference that is listed: the two go separate ways no further
		url := l.theirs
		if ours.Failed == "" {
			url = l.ours
		}
		l.settle()
		l.askOne(url, request{operation: "UpdateTable", in: obj{"TableName": l.name, "DeletionProtectionEnabled": false}}, nil)
		l.settle()
		l.ask("DeleteTable", obj{"TableName": l.name})
		l.settle()
		l.gone = true
		return false
	}
	l.settle()
	if ours.Failed == "" {
		l.answered++
	}
	a, b := l.ask("DescribeTable", obj{"TableName": l.name})
	l.report(r, ledger.Compare("DescribeTable", a, b))
	if a.Failed != "" || b.Failed != "" {
		l.gone = true
		return false
	}
	x, y := l.ask("DescribeTimeToLive", obj{"TableName": l.name})
	l.report(r, ledger.Compare("DescribeTimeToLive", x, y))
	for _, index := range indexNames(a) {
		if !slices.Contains(indexNames(b), index) {
			continue
		}
		x, y := l.ask("Scan", obj{"TableName": l.name, "IndexName": index})
		for _, side := range []ledger.Answer{x, y} {
			if m, ok := side.Body.(map[string]any); ok {
				ledger.Sort(m["Items"])
			}
		}
		l.report(request{operation: "Scan", in: obj{"TableName": l.name, "IndexName": index}}, ledger.Compare("Scan", x, y))
	}
	return ours.Failed == ""
}

func indexNames(description ledger.Answer) (names []string) {
	body, _ := description.Body.(map[string]any)
	table, _ := body["Table"].(map[string]any)
	indexes, _ := table["GlobalSecondaryIndexes"].([]any)
	for _, x := range indexes {
		m, _ := x.(map[string]any)
		name, _ := m["IndexName"].(string)
		names = append(names, name)
	}
	return names
}

// settle waits until neither side is busy with a change of the table any more, twice in a row: Local begins with some of
// them only after it has answered.
func (l *life) settle() {
	l.t.Helper()
	quiet := 0
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		a, b := l.ask("DescribeTable", obj{"TableName": l.name})
		text := ledger.Text(a.Body) + ledger.Text(b.Body)
		// CREATING, UPDATING, DELETING, also of an index, and one that is still filled.
		if strings.Contains(text, `ING"`) || strings.Contains(text, `"Backfilling":true`) {
			quiet = 0
		} else if quiet++; quiet == 2 {
			return
		}
	}
	l.t.Fatalf("%s does not come to rest", l.name)
}
