package engine_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/wire"
)

// slow is an engine in which states last a minute by a clock that the test moves.
func slow(t *testing.T, dir string) (*engine.Engine, *clock) {
	t.Helper()
	c := newClock()
	return open(t, dir, &engine.Options{Clock: c, StateTime: time.Minute, SweepEvery: -1}), c
}

func tableStatus(t *testing.T, e *engine.Engine) string {
	t.Helper()
	return do(t, e, "DescribeTable", `{"TableName":"tbl"}`)["Table"].(map[string]any)["TableStatus"].(string)
}

// indexState is the status of a global index, with its Backfilling: "CREATING false"; empty if there is no such index.
func indexState(t *testing.T, e *engine.Engine, name string) string {
	t.Helper()
	l, _ := do(t, e, "DescribeTable", `{"TableName":"tbl"}`)["Table"].(map[string]any)["GlobalSecondaryIndexes"].([]any)
	for _, x := range l {
		if x := x.(map[string]any); x["IndexName"] == name {
			return strings.TrimSuffix(fmt.Sprintln(x["IndexStatus"], x["Backfilling"]), "\n")
		}
	}
	return ""
}

// refuses checks that an operation fails with an error whose text contains want.
func refuses(t *testing.T, e *engine.Engine, want, operation, request string, args ...any) {
	t.Helper()
	_, err := try(e, operation, request, args...)
	var refused *wire.Error
	if !errors.As(err, &refused) || !strings.Contains(refused.Error(), want) {
		t.Errorf("%s: %v\n  want %s", operation, err, want)
	}
}

// TestTableStates: a table is CREATING, then ACTIVE, then DELETING, then gone; items are there only while it is usable
// (measured on AWS, 2026-10).
func TestTableStates(t *testing.T) {
	e, c := slow(t, "")
	const get = `{"TableName":"tbl","Key":{"pk":{"S":"a"},"sk":{"N":"1"}}}`
	if got := do(t, e, "CreateTable", schema)["TableDescription"].(map[string]any)["TableStatus"]; got != "CREATING" {
		t.Errorf("created: %v", got)
	}
	const created, deleted = "ResourceInUseException: Attempt to change a resource which is still in use: Table is being created: tbl",
		"ResourceInUseException: Attempt to change a resource which is still in use: Table is being deleted: tbl"
	for range 2 {
		if got := tableStatus(t, e); got != "CREATING" {
			t.Errorf("described: %s", got)
		}
		refuses(t, e, "ResourceNotFoundException: Requested resource not found", "GetItem", get)
		refuses(t, e, created, "CreateTable", schema)
		refuses(t, e, created, "DeleteTable", `{"TableName":"tbl"}`)
		refuses(t, e, created, "UpdateTable", `{"TableName":"tbl","DeletionProtectionEnabled":true}`)
		refuses(t, e, "ResourceArn: "+tableARN+" not found", "ListTagsOfResource", `{"ResourceArn":"`+tableARN+`"}`)
		refuses(t, e, "Table: tbl not found", "GetResourcePolicy", `{"ResourceArn":"`+tableARN+`"}`)
		refuses(t, e, "TableNotFoundException: Table not found: tbl", "DescribeContinuousBackups", `{"TableName":"tbl"}`)
		refuses(t, e, "Table: tbl not found", "DescribeKinesisStreamingDestination", `{"TableName":"tbl"}`)
		c.move(59 * time.Second)
	}
	c.move(time.Second)
	if got := tableStatus(t, e); got != "ACTIVE" {
		t.Errorf("after its time: %s", got)
	}
	do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"a"},"sk":{"N":"1"}}}`)
	if got := do(t, e, "DeleteTable", `{"TableName":"tbl"}`)["TableDescription"].(map[string]any)["TableStatus"]; got != "DELETING" {
		t.Errorf("deleted: %v", got)
	}
	if got := tableStatus(t, e); got != "DELETING" {
		t.Errorf("described: %s", got)
	}
	if got := fmt.Sprint(do(t, e, "ListTables", `{}`)["TableNames"]); got != "[tbl]" {
		t.Errorf("listed: %s", got)
	}
	refuses(t, e, "ResourceNotFoundException: Requested resource not found", "GetItem", get)
	refuses(t, e, "ResourceInUseException: Table already exists: tbl", "CreateTable", schema)
	refuses(t, e, deleted, "DeleteTable", `{"TableName":"tbl"}`)
	refuses(t, e, deleted, "UpdateTable", `{"TableName":"tbl","DeletionProtectionEnabled":true}`)
	c.move(time.Minute)
	refuses(t, e, "Requested resource not found: Table: tbl not found", "DescribeTable", `{"TableName":"tbl"}`)
	if got := fmt.Sprint(do(t, e, "ListTables", `{}`)["TableNames"]); got != "[]" {
		t.Errorf("listed when it is gone: %s", got)
	}
	do(t, e, "CreateTable", schema)
	c.move(time.Minute)
	if got := do(t, e, "Scan", `{"TableName":"tbl"}`)["Count"]; got != 0.0 {
		t.Errorf("the next table of the name has %v items", got)
	}
}

// TestUpdatingStates: what is being updated is told as it was, and what cannot be changed meanwhile is refused; items are
// there all the time (measured on AWS, 2026-10).
func TestUpdatingStates(t *testing.T) {
	e, c := slow(t, "")
	do(t, e, "CreateTable", `{"TableName":"tbl","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
		"ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":5}}`)
	c.move(time.Minute)
	update := func(change string) map[string]any {
		t.Helper()
		return do(t, e, "UpdateTable", `{"TableName":"tbl",`+change+`}`)["TableDescription"].(map[string]any)
	}
	busy := func(want, change string) {
		t.Helper()
		refuses(t, e, "ResourceInUseException: Attempt to change a resource which is still in use: "+want, "UpdateTable", `{"TableName":"tbl",`+change+`}`)
	}
	units := func(d map[string]any) any { return d["ProvisionedThroughput"].(map[string]any)["ReadCapacityUnits"] }
	described := func() map[string]any {
		return do(t, e, "DescribeTable", `{"TableName":"tbl"}`)["Table"].(map[string]any)
	}
	const throughput, stream, class = `"ProvisionedThroughput":{"ReadCapacityUnits":7,"WriteCapacityUnits":7}`,
		`"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}`, `"TableClass":"STANDARD_INFREQUENT_ACCESS"`

	d := update(throughput)
	if d["TableStatus"] != "UPDATING" || units(d) != 5.0 || units(described()) != 5.0 {
		t.Errorf("throughput is told as %v %v at once", d["TableStatus"], units(d))
	}
	busy("Table IOPS are currently being updated. Table: tbl", `"ProvisionedThroughput":{"ReadCapacityUnits":8,"WriteCapacityUnits":8}`)
	busy("Can't enable or disable stream while table IOPS are being updated. Table: tbl", stream)
	refuses(t, e, "Table: tbl is in the process of being updated.", "DeleteTable", `{"TableName":"tbl"}`)
	do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"a"}}}`)
	do(t, e, "TagResource", `{"ResourceArn":"`+tableARN+`","Tags":[{"Key":"a","Value":"b"}]}`)
	c.move(time.Minute)
	if d := described(); d["TableStatus"] != "ACTIVE" || units(d) != 7.0 {
		t.Errorf("afterwards: %v, %v", d["TableStatus"], units(d))
	}

	update(stream)
	busy("A stream status change is currently in progress. Table: tbl Stream: ", `"StreamSpecification":{"StreamEnabled":false}`)
	busy("Can't change table IOPS when stream status is being updated. Table: tbl Stream: ", `"ProvisionedThroughput":{"ReadCapacityUnits":8,"WriteCapacityUnits":8}`)
	refuses(t, e, "Cannot delete table while stream is being enabled/disabled.", "DeleteTable", `{"TableName":"tbl"}`)
	c.move(time.Minute)

	if d := update(class); d["TableClassSummary"] != nil {
		t.Errorf("the class that is asked for is told at once: %v", d["TableClassSummary"])
	}
	busy("Can't update table class when a table class update is in progress. Table: tbl TableClassUpdateInProgress: STANDARD_INFREQUENT_ACCESS", `"TableClass":"STANDARD"`)
	if d := update(`"DeletionProtectionEnabled":true`); d["DeletionProtectionEnabled"] != true {
		t.Error("protection waits for the class")
	}
	c.move(time.Minute)
	if got := fmt.Sprint(described()["TableClassSummary"].(map[string]any)["TableClass"]); got != "STANDARD_INFREQUENT_ACCESS" {
		t.Errorf("the class is %s", got)
	}
	update(`"DeletionProtectionEnabled":false`)

	d = update(`"SSESpecification":{"Enabled":true}`)
	if d["TableStatus"] != "ACTIVE" || d["SSEDescription"].(map[string]any)["Status"] != "UPDATING" {
		t.Errorf("encryption: %v %v", d["TableStatus"], d["SSEDescription"])
	}
	busy("Server-Side Encryption is still being updated", `"SSESpecification":{"Enabled":false}`)
	c.move(time.Minute)
	if got := described()["SSEDescription"].(map[string]any)["Status"]; got != "ENABLED" {
		t.Errorf("encryption afterwards: %v", got)
	}
	update(`"SSESpecification":{"Enabled":false}`)
	if got := described()["SSEDescription"].(map[string]any)["Status"]; got != "UPDATING" {
		t.Errorf("encryption that is switched off: %v", got)
	}
	c.move(time.Minute)
	if got := described()["SSEDescription"]; got != nil {
		t.Errorf("encryption that is off: %v", got)
	}

	warm := func(d map[string]any) string {
		w := d["WarmThroughput"].(map[string]any)
		return fmt.Sprintf("%v %v", w["ReadUnitsPerSecond"], w["Status"])
	}
	if got := warm(update(`"WarmThroughput":{"ReadUnitsPerSecond":100}`)); got != "7 UPDATING" {
		t.Errorf("warm throughput that is raised: %s", got)
	}
	c.move(time.Minute)
	if got := warm(described()); got != "100 ACTIVE" {
		t.Errorf("warm throughput afterwards: %s", got)
	}
}

// TestIndexStates: an index that is added to a table is allocated, then filled; one at a time (GSI.OnlineOps, measured on
// AWS, 2026-10).
func TestIndexStates(t *testing.T) {
	e, c := slow(t, "")
	do(t, e, "CreateTable", `{"TableName":"tbl","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
		"BillingMode":"PAY_PER_REQUEST","GlobalSecondaryIndexes":[{"IndexName":"old","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}]}`)
	if got := indexState(t, e, "old"); got != "CREATING <nil>" {
		t.Errorf("the index of a new table: %s", got)
	}
	c.move(time.Minute)
	if got := indexState(t, e, "old"); got != "ACTIVE <nil>" {
		t.Errorf("the index of a table: %s", got)
	}
	for i := range 3 {
		do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"%d"},"g":{"S":"x"},"h":{"S":"y"}}}`, i)
	}
	const create = `{"TableName":"tbl","AttributeDefinitions":[{"AttributeName":"h","AttributeType":"S"}],"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"%s","KeySchema":[{"AttributeName":"h","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}}]}`
	const remove = `{"TableName":"tbl","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"%s"}}]}`
	do(t, e, "UpdateTable", create, "new")
	if got := indexState(t, e, "new") + ", " + tableStatus(t, e); got != "CREATING false, UPDATING" {
		t.Errorf("an index that is allocated: %s", got)
	}
	refuses(t, e, "Index creation is in resource allocation phase", "UpdateTable", remove, "new")
	refuses(t, e, "LimitExceededException: Subscriber limit exceeded: Only 1 online index", "UpdateTable", remove, "old")
	refuses(t, e, "Can't change stream status when an index is being created. Table: tbl Indexes: [new]", "UpdateTable", `{"TableName":"tbl","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}}`)
	refuses(t, e, "Index is being created but is not backfilling yet.  Table: tbl Index: new", "UpdateTable", `{"TableName":"tbl","GlobalSecondaryIndexUpdates":[{"Update":{"IndexName":"new","OnDemandThroughput":{"MaxReadRequestUnits":5}}}]}`)
	refuses(t, e, "Cannot delete table while indexes are being created, updated, or deleted.", "DeleteTable", `{"TableName":"tbl"}`)
	refuses(t, e, "Cannot read from backfilling global secondary index: new", "Scan", `{"TableName":"tbl","IndexName":"new"}`)
	refuses(t, e, "Index: new not found for table: tbl", "UpdateContributorInsights", `{"TableName":"tbl","IndexName":"new","ContributorInsightsAction":"ENABLE"}`)
	c.move(time.Minute)
	e.WaitFilled()
	if got := indexState(t, e, "new") + ", " + tableStatus(t, e); got != "ACTIVE <nil>, ACTIVE" {
		t.Errorf("an index that is full: %s", got)
	}
	if n := count(t, e, "new"); n != 3 {
		t.Errorf("the index has %d entries", n)
	}

	do(t, e, "UpdateTable", `{"TableName":"tbl","GlobalSecondaryIndexUpdates":[{"Update":{"IndexName":"new","OnDemandThroughput":{"MaxReadRequestUnits":5}}}]}`)
	if got := indexState(t, e, "new") + ", " + tableStatus(t, e); got != "UPDATING <nil>, ACTIVE" {
		t.Errorf("an index whose limits change: %s", got)
	}
	refuses(t, e, "Index is being updated.  Table: tbl Index: new", "UpdateTable", `{"TableName":"tbl","GlobalSecondaryIndexUpdates":[{"Update":{"IndexName":"new","OnDemandThroughput":{"MaxReadRequestUnits":6}}}]}`)
	c.move(time.Minute)

	do(t, e, "UpdateTable", remove, "new")
	if got := indexState(t, e, "new") + ", " + tableStatus(t, e); got != "DELETING <nil>, UPDATING" {
		t.Errorf("an index that is deleted: %s", got)
	}
	refuses(t, e, "The table does not have the specified index: new", "Scan", `{"TableName":"tbl","IndexName":"new"}`)
	refuses(t, e, "Only 1 online index", "UpdateTable", create, "other")
	c.move(time.Minute)
	if got := indexState(t, e, "new"); got != "" {
		t.Errorf("an index that is gone: %s", got)
	}
	do(t, e, "UpdateTable", create, "new")
	e.WaitFilled()
	c.move(time.Minute)
	if n := count(t, e, "new"); n != 3 {
		t.Errorf("the next index of the name has %d entries", n)
	}
}

// TestSettingStates: destinations and insights are on the way for a while, too.
func TestSettingStates(t *testing.T) {
	e, c := slow(t, "")
	do(t, e, "CreateTable", schema)
	c.move(time.Minute)
	const stream = `{"TableName":"tbl","StreamArn":"arn:aws:kinesis:us-east-1:000000000000:stream/changes"%s}`
	destination := func() string {
		l := do(t, e, "DescribeKinesisStreamingDestination", `{"TableName":"tbl"}`)["KinesisDataStreamDestinations"].([]any)
		return fmt.Sprint(l[0].(map[string]any)["DestinationStatus"])
	}
	step := func(operation, more, meanwhile, after string) {
		t.Helper()
		do(t, e, operation, stream, more)
		if got := destination(); got != meanwhile {
			t.Errorf("%s: %s", operation, got)
		}
		refuses(t, e, "KinesisStreamingDestination must be ACTIVE to perform DISABLE operation.", "DisableKinesisStreamingDestination", stream, "")
		refuses(t, e, "EnableKinesisStreamingDestination must be DISABLED or ENABLE_FAILED to perform ENABLE operation.", "EnableKinesisStreamingDestination", stream, "")
		c.move(time.Minute)
		if got := destination(); got != after {
			t.Errorf("after %s: %s", operation, got)
		}
	}
	step("EnableKinesisStreamingDestination", "", "ENABLING", "ACTIVE")
	step("UpdateKinesisStreamingDestination", `,"UpdateKinesisStreamingConfiguration":{"ApproximateCreationDateTimePrecision":"MICROSECOND"}`, "UPDATING", "ACTIVE")
	step("DisableKinesisStreamingDestination", "", "DISABLING", "DISABLED")

	insights := func() string {
		return fmt.Sprint(do(t, e, "DescribeContributorInsights", `{"TableName":"tbl"}`)["ContributorInsightsStatus"])
	}
	for action, states := range map[string]string{"ENABLE": "ENABLING ENABLED"} {
		do(t, e, "UpdateContributorInsights", `{"TableName":"tbl","ContributorInsightsAction":"%s"}`, action)
		was := insights()
		c.move(time.Minute)
		if got := was + " " + insights(); got != states {
			t.Errorf("%s: %s", action, got)
		}
	}
}

// TestStatesSurvive: a state goes on after a restart, and ends at its time.
func TestStatesSurvive(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	o := &engine.Options{Clock: c, StateTime: time.Minute, SweepEvery: -1, NoSync: true}
	e, err := engine.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	do(t, e, "CreateTable", schema)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e, err = engine.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	if got := tableStatus(t, e); got != "CREATING" {
		t.Errorf("after a restart: %s", got)
	}
	c.move(time.Minute)
	do(t, e, "DeleteTable", `{"TableName":"tbl"}`)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e = open(t, dir, o)
	if got := tableStatus(t, e); got != "DELETING" {
		t.Errorf("deleted, after a restart: %s", got)
	}
	c.move(time.Minute)
	do(t, e, "CreateTable", schema)
}

// TestStatsOfDeleted: a table that has been deleted, and is told so no longer, is in no figures either.
func TestStatsOfDeleted(t *testing.T) {
	clock := engine.NewClock(time.Time{})
	e := engine.New(t, engine.Options{Clock: clock, StateTime: time.Second})
	do(t, e, "CreateTable", hashTable, "")
	clock.Advance(time.Second)
	do(t, e, "DeleteTable", `{"TableName":"tbl"}`)
	for _, want := range []int{1, 0} {
		stats, err := e.Stats()
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		if err := e.WriteMetrics(&text); err != nil {
			t.Fatal(err)
		}
		if len(stats.Tables) != want || strings.Contains(text.String(), `table="tbl"`) != (want == 1) {
			t.Errorf("stats have %v, want %d tables; metrics have\n%s", stats.Tables, want, text.String())
		}
		clock.Advance(time.Second)
	}
}
