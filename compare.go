package tablewright

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

// Difference is one thing that is otherwise than declared.
type Difference struct {
	What     string // such as "index ByCustomer: sort attributes"
	Declared string
	Found    string
}

// String says it in one line.
func (d Difference) String() string {
	return fmt.Sprintf("%s: declared %s, found %s", d.What, orNone(d.Declared), orNone(d.Found))
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// Compare holds the table at the service against its declaration: keys, types, indexes and what they project, time to live,
// stream, class and capacity. It answers every difference; none if the table is as declared. ErrNotFound says that there is
// no table. What a declaration does not state (tags, backups, limits on demand) is not compared.
//
// An index that the table has beside the declared ones is a difference too: it costs with every write.
func (t *Table) Compare(ctx context.Context, db *DB) ([]Difference, error) {
	if err := t.ready(db); err != nil {
		return nil, err
	}
	var answer struct{ Table description }
	ttl, err := describeInto(ctx, db, t.p.Name, &answer)
	if err != nil {
		return nil, err
	}
	var c comparison
	c.table(&t.p, answer.Table)
	c.note("time to live", t.p.TTL, ttl)
	return c.all, nil
}

// describeInto asks for a table's description and answers the attribute of its time to live; "": it has none.
func describeInto(ctx context.Context, db *DB, table string, into any) (ttl string, err error) {
	if err := controlJSON(ctx, db, "DescribeTable", table, into); err != nil {
		if notThere(err) {
			err = &Error{Operation: "DescribeTable", Table: table, kinds: []error{ErrNotFound}, cause: err, Time: db.clock.Now()}
		}
		return "", err
	}
	var expiry struct {
		TimeToLiveDescription struct{ TimeToLiveStatus, AttributeName string }
	}
	if err := controlJSON(ctx, db, "DescribeTimeToLive", table, &expiry); err != nil {
		return "", err
	}
	if s := expiry.TimeToLiveDescription; s.TimeToLiveStatus == "ENABLED" || s.TimeToLiveStatus == "ENABLING" {
		ttl = s.AttributeName
	}
	return ttl, nil
}

// controlJSON sends an operation that describes a table.
func controlJSON(ctx context.Context, db *DB, operation, table string, into any) error {
	var raw []byte
	if err := control(ctx, db, operation, table, func(*body) {}, func(d *attr.Decoder) { raw = bytes.Clone(d.Raw()) }); err != nil {
		return err
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return &Error{Operation: operation, Table: table, Time: db.instant(), cause: fmt.Errorf("answer: %w", err)}
	}
	return nil
}

// description is what DescribeTable says, as far as declarations state it.
type description struct {
	keyed
	AttributeDefinitions   []struct{ AttributeName, AttributeType string }
	GlobalSecondaryIndexes []describedIndex
	LocalSecondaryIndexes  []describedIndex
	BillingMode            string // of a request
	BillingModeSummary     struct{ BillingMode string }
	ProvisionedThroughput  throughput
	StreamSpecification    struct {
		StreamEnabled  bool
		StreamViewType string
	}
	TableClass        string // of a request
	TableClassSummary struct{ TableClass string }
}

type keyed struct {
	KeySchema []struct{ AttributeName, KeyType string }
}

func (k keyed) names(kind string) (names []string) {
	for _, e := range k.KeySchema {
		if e.KeyType == kind {
			names = append(names, e.AttributeName)
		}
	}
	return names
}

type throughput struct{ ReadCapacityUnits, WriteCapacityUnits float64 }

func (t throughput) billing() plan.Billing {
	return plan.Billing{Read: t.ReadCapacityUnits, Write: t.WriteCapacityUnits}
}

func (t throughput) String() string {
	if t == (throughput{}) {
		return "on demand"
	}
	return fmt.Sprintf("%v reads and %v writes a second", t.ReadCapacityUnits, t.WriteCapacityUnits)
}

type describedIndex struct {
	keyed
	IndexName  string
	Projection struct {
		ProjectionType   string
		NonKeyAttributes []string
	}
	IndexStatus           string
	ItemCount             int64
	IndexSizeBytes        int64
	ProvisionedThroughput throughput
}

// comparison gathers differences.
type comparison struct{ all []Difference }

func (c *comparison) note(what, declared, found string) {
	if declared != found {
		c.all = append(c.all, Difference{what, declared, found})
	}
}

func (c *comparison) table(t *plan.Table, d description) {
	list := func(names []string) string { return strings.Join(names, ", ") }
	c.note("partition key", t.Key.Partition, list(d.names("HASH")))
	c.note("sort key", t.Key.Sort, list(d.names("RANGE")))
	types := map[string]string{}
	for _, a := range d.AttributeDefinitions {
		types[a.AttributeName] = a.AttributeType
	}
	for _, name := range slices.Sorted(maps.Keys(types)) {
		if want, known := t.Attributes[name]; known {
			c.note("type of "+name, string(want), types[name])
		}
	}
	c.indexes(t, t.GSI, d.GlobalSecondaryIndexes, "index ")
	c.indexes(t, t.LSI, d.LocalSecondaryIndexes, "local index ")
	view := ""
	if d.StreamSpecification.StreamEnabled {
		view = d.StreamSpecification.StreamViewType
	}
	c.note("stream", streamViews[t.Stream], view)
	classOf := func(name string) string { return strings.TrimPrefix(name, "STANDARD_") }
	class := "STANDARD"
	if t.Class == "infrequent-access" {
		class = "STANDARD_INFREQUENT_ACCESS"
	}
	found := d.TableClassSummary.TableClass
	if found == "" {
		found = "STANDARD"
	}
	c.note("class", classOf(class), classOf(found))
	want, have := throughput{}, throughput{}
	if t.Billing != (plan.Billing{}) {
		want = throughput{max(t.Billing.Read, 1), max(t.Billing.Write, 1)}
	}
	if d.BillingModeSummary.BillingMode != "PAY_PER_REQUEST" {
		have = d.ProvisionedThroughput
	}
	c.note("capacity", want.String(), have.String())
}

func (c *comparison) indexes(t *plan.Table, declared map[string]plan.Index, found []describedIndex, kind string) {
	list := func(names []string) string { return strings.Join(names, ", ") }
	shown := func(project string, include []string) string {
		if len(include) > 0 {
			include = slices.Sorted(slices.Values(include))
			return project + " " + list(include)
		}
		return project
	}
	seen := map[string]bool{}
	for _, d := range found {
		x, known := declared[d.IndexName]
		seen[d.IndexName] = true
		what := kind + d.IndexName
		if !known {
			c.note(what, "", "partition "+list(d.names("HASH"))+", sort "+orNone(list(d.names("RANGE"))))
			continue
		}
		partition := x.Partition
		if len(partition) == 0 {
			partition = one(t.Key.Partition)
		}
		c.note(what+": partition attributes", list(partition), list(d.names("HASH")))
		c.note(what+": sort attributes", list(x.Sort), list(d.names("RANGE")))
		project := map[string]string{"": "ALL", plan.All: "ALL", plan.Keys: "KEYS_ONLY", plan.Include: "INCLUDE"}[x.Project]
		c.note(what+": projection", shown(project, x.Include), shown(d.Projection.ProjectionType, d.Projection.NonKeyAttributes))
	}
	for _, name := range slices.Sorted(maps.Keys(declared)) {
		if !seen[name] {
			c.note(kind+name, "partition "+list(declared[name].Partition)+", sort "+orNone(list(declared[name].Sort)), "")
		}
	}
}
