package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/engine/internal/kv"
)

// fill makes tables of every kind with some items.
func fill(t testing.TB, e *engine.Engine) {
	t.Helper()
	do(t, e, "CreateTable", `{"TableName":"orders","BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":6},
		"AttributeDefinitions":[{"AttributeName":"c","AttributeType":"S"},{"AttributeName":"o","AttributeType":"N"},{"AttributeName":"a","AttributeType":"N"},{"AttributeName":"s","AttributeType":"B"}],
		"KeySchema":[{"AttributeName":"c","KeyType":"HASH"},{"AttributeName":"o","KeyType":"RANGE"}],
		"LocalSecondaryIndexes":[{"IndexName":"by-amount","KeySchema":[{"AttributeName":"c","KeyType":"HASH"},{"AttributeName":"a","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}],
		"GlobalSecondaryIndexes":[{"IndexName":"by-state","KeySchema":[{"AttributeName":"s","KeyType":"HASH"}],"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["note"]},"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":2}}],
		"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"},"Tags":[{"Key":"team","Value":"a b+c"}]}`)
	do(t, e, "CreateTable", `{"TableName":"changed","BillingMode":"PAY_PER_REQUEST","WarmThroughput":{"ReadUnitsPerSecond":13000},"AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"k","KeyType":"HASH"}],"GlobalSecondaryIndexes":[{"IndexName":"idx","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}]}`)
	do(t, e, "UpdateTable", `{"TableName":"changed","BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":20000,"WriteCapacityUnits":20},
		"GlobalSecondaryIndexUpdates":[{"Update":{"IndexName":"idx","ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}}}]}`)
	do(t, e, "UpdateTable", `{"TableName":"changed","TableClass":"STANDARD_INFREQUENT_ACCESS"}`)
	do(t, e, "UpdateContinuousBackups", `{"TableName":"changed","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true,"RecoveryPeriodInDays":7}}`)
	do(t, e, "UpdateContributorInsights", `{"TableName":"changed","IndexName":"idx","ContributorInsightsAction":"ENABLE"}`)
	do(t, e, "EnableKinesisStreamingDestination", `{"TableName":"changed","StreamArn":"arn:aws:kinesis:us-east-1:000000000000:stream/out"}`)
	do(t, e, "PutResourcePolicy", `{"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/changed","Policy":"{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Allow\",\"Principal\":{\"AWS\":\"000000000000\"},\"Action\":\"dynamodb:GetItem\",\"Resource\":\"arn:aws:dynamodb:us-east-1:000000000000:table/changed\"}]}"}`)
	do(t, e, "CreateTable", aTable)
	do(t, e, "UpdateTable", `{"TableName":"tbl","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}}`)
	do(t, e, "UpdateTable", `{"TableName":"tbl","StreamSpecification":{"StreamEnabled":false}}`)
	do(t, e, "UpdateTimeToLive", `{"TableName":"tbl","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"until"}}`)
	e.WaitFilled()
	for i := range 40 {
		do(t, e, "PutItem", fmt.Sprintf(`{"TableName":"orders","Item":{"c":{"S":"c%d"},"o":{"N":"%d"},"a":{"N":"-%d.5"},"s":{"B":"%s"},"note":{"S":"\"\n\u2028<é>"},"l":{"L":[{"NULL":true},{"M":{}}]}}}`, i%3, i, i, []string{"AA==", "AQ==", "Ag==", "Aw=="}[i%4]))
		do(t, e, "PutItem", fmt.Sprintf(`{"TableName":"tbl","Item":{"k":{"S":"%d"},"until":{"N":"4102444800"}}}`, i))
	}
}

func dump(t testing.TB, e *engine.Engine) string {
	t.Helper()
	var b bytes.Buffer
	if _, err := e.Dump(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// body is a dump without its first line, which has the time.
func body(dump string) string { _, rest, _ := strings.Cut(dump, "\n"); return rest }

// TestDumpAndLoad: what is loaded is what was dumped, with all settings, sound, and dumps the same again.
func TestDumpAndLoad(t *testing.T) {
	from := open(t, "", nil)
	fill(t, from)
	text := dump(t, from)
	for name, e := range map[string]*engine.Engine{"memory": open(t, "", nil), "disk": open(t, t.TempDir(), nil), "lag": open(t, "", &engine.Options{Lag: &engine.Lag{Max: time.Hour}})} {
		done, err := e.Load(t.Context(), strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if done.Tables != 3 || done.Items != 80 {
			t.Errorf("%s: %+v", name, done)
		}
		if err := e.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		e.WaitFilled()
		got := body(dump(t, e))
		for _, inner := range []string{"Space", "expiry", "Kind"} {
			if strings.Contains(got, inner) {
				t.Errorf("%s: the dump shows %s", name, inner)
			}
		}
		if want := body(text); got != want {
			t.Errorf("%s: dumped again it is\n%s\nnot\n%s", name, got, want)
		}
		for _, q := range []struct{ operation, request, member string }{
			{"Query", `{"TableName":"orders","IndexName":"by-state","KeyConditionExpression":"s = :s","ExpressionAttributeValues":{":s":{"B":"AQ=="}},"Select":"COUNT"}`, "Count"},
			{"Query", `{"TableName":"orders","IndexName":"by-amount","KeyConditionExpression":"c = :c AND a < :a","ExpressionAttributeValues":{":c":{"S":"c0"},":a":{"N":"-20"}},"Select":"COUNT"}`, "Count"},
			{"Scan", `{"TableName":"orders"}`, "Items"},
			{"DescribeTimeToLive", `{"TableName":"tbl"}`, "TimeToLiveDescription"},
			{"DescribeTable", `{"TableName":"changed"}`, "Table"},
			{"DescribeContinuousBackups", `{"TableName":"changed"}`, "ContinuousBackupsDescription"},
			{"DescribeContributorInsights", `{"TableName":"changed","IndexName":"idx"}`, "ContributorInsightsStatus"},
			{"DescribeKinesisStreamingDestination", `{"TableName":"changed"}`, "KinesisDataStreamDestinations"},
			{"GetResourcePolicy", `{"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/changed"}`, "RevisionId"},
			{"ListTagsOfResource", `{"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/orders"}`, "Tags"},
		} {
			if want, got := fmt.Sprint(do(t, from, q.operation, q.request)[q.member]), fmt.Sprint(do(t, e, q.operation, q.request)[q.member]); got != want {
				t.Errorf("%s: %s answers %s, not %s", name, q.operation, got, want)
			}
		}
		// Items that are loaded are no changes, those that follow are.
		stream := fmt.Sprint(do(t, e, "DescribeTable", `{"TableName":"orders"}`)["Table"].(map[string]any)["LatestStreamArn"])
		if !strings.Contains(fmt.Sprint(do(t, e, "DescribeStream", `{"StreamArn":"`+stream+`"}`)), "ENABLED") {
			t.Errorf("%s: the stream is not enabled", name)
		}
		do(t, e, "PutItem", `{"TableName":"orders","Item":{"c":{"S":"new"},"o":{"N":"1"}}}`)
		if err := e.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestLoadByHand: of a table the request that makes it is enough, which is held to what CreateTable holds it to.
func TestLoadByHand(t *testing.T) {
	const create = `{"TableName":"tbl","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"k","KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"}]}`
	load := func(table string) (*engine.Engine, error) {
		e := engine.New(t, engine.Options{Region: "eu-west-1"})
		_, err := e.Load(t.Context(), strings.NewReader(`{"dump":{"version":1}}`+"\n"+`{"table":`+table+"}\n"+`{"item":{"k":{"S":"a"}}}`+"\n"+`{"end":{"tables":1,"items":1}}`))
		return e, err
	}
	e, err := load(`{"Create":` + create + `}`)
	if err != nil {
		t.Fatal(err)
	}
	made := do(t, e, "DescribeTable", `{"TableName":"tbl"}`)["Table"].(map[string]any)
	if id, _ := made["TableId"].(string); len(id) != 36 || made["TableArn"] != "arn:aws:dynamodb:eu-west-1:000000000000:table/tbl" || fmt.Sprint(made["WarmThroughput"]) != "map[ReadUnitsPerSecond:12000 Status:ACTIVE WriteUnitsPerSecond:4000]" {
		t.Error(made)
	}
	for table, want := range map[string]string{
		`{}`:                             "it has no Create",
		`{"Create":{"TableName":"tbl"}}`: "Value null at 'keySchema'",
		`{"Create":` + strings.Replace(create, `"S"`, `"X"`, 1) + `}`:                                 "attributeType",
		`{"Create":` + strings.Replace(create, `"PAY_PER_REQUEST"`, `"PROVISIONED"`, 1) + `}`:         "ReadCapacityUnits and WriteCapacityUnits must both be specified",
		`{"Create":` + strings.Replace(create, `"AttributeName":"k"`, `"AttributeName":"x"`, 1) + `}`: "not defined",
		`{"Create":` + create + `,"Space":1}`:                                                         `unknown field "Space"`,
	} {
		if _, err := load(table); err == nil || !strings.Contains(err.Error(), "line 2: the table cannot be read: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", table, err)
		}
	}
}

// TestLoadAllOrNothing: cut off anywhere, by the end of the dump, a mistake in it or a disk that fails, a load leaves nothing,
// also when the program ended before it could clean up.
func TestLoadAllOrNothing(t *testing.T) {
	from := open(t, "", nil)
	fill(t, from)
	text := dump(t, from)
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	empty := func(what string, s kv.Store) {
		t.Helper()
		_ = s.View(func(r kv.Reader) error {
			for space := range kv.Space(80) {
				if space >= 40 { // item collections of the tables that these would be
					space = space - 40 | 1<<31
				}
				r.Ascend(space, nil, nil, func(key, _ []byte) bool {
					if k := string(key); k != "format" && k != "next" {
						t.Errorf("%s: there is %q in space %d", what, key, space)
					}
					return true
				})
			}
			return nil
		})
	}
	for n := 0; n < len(lines); n += 7 {
		s := kv.NewMemory()
		e := openOn(t, s, nil)
		if _, err := e.Load(t.Context(), strings.NewReader(strings.Join(lines[:n], ""))); err == nil {
			t.Errorf("%d lines are loaded", n)
		}
		empty(fmt.Sprint(n, " lines"), s)
	}
	for n := range 6 { // the nth update fails, and all that follow: nothing can be dropped
		s := kv.NewMemory()
		failing := &failingStore{Store: s, after: n + 2, err: syscall.EIO}
		e, err := engine.OpenStore(failing, &engine.Options{SweepEvery: -1})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Load(t.Context(), strings.NewReader(text)); !errors.Is(err, syscall.EIO) {
			if err == nil && n >= 4 {
				continue // it is done with
			}
			t.Errorf("update %d failed: %v", n, err)
		}
		again := openOn(t, s, nil)
		if names := fmt.Sprint(do(t, again, "ListTables", `{}`)["TableNames"]); names != "[]" {
			t.Errorf("update %d failed: there is %s", n, names)
		}
		empty(fmt.Sprint("update ", n), s)
	}
	// A table of the same name, made while the load went on.
	e := open(t, "", nil)
	r, w := io.Pipe()
	ended := make(chan error)
	go func() { _, err := e.Load(context.Background(), r); r.Close(); ended <- err }()
	io.WriteString(w, strings.Join(lines[:len(lines)-1], ""))
	do(t, e, "CreateTable", aTable)
	do(t, e, "PutItem", `{"TableName":"tbl","Item":{"k":{"S":"mine"}}}`)
	io.WriteString(w, lines[len(lines)-1])
	w.Close()
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "table tbl of us-east-1 is there already") {
		t.Error(err)
	}
	if got := fmt.Sprint(do(t, e, "ListTables", `{}`)["TableNames"], do(t, e, "Scan", `{"TableName":"tbl"}`)["Count"]); got != "[tbl] 1" {
		t.Errorf("there is %s", got)
	}
}

// TestLoadBehindDeleted: a table that was deleted is there no more when it is not told to be any more.
func TestLoadBehindDeleted(t *testing.T) {
	c := newClock()
	e := open(t, "", &engine.Options{Clock: c, SweepEvery: -1, StateTime: time.Minute})
	do(t, e, "CreateTable", hashOnly)
	c.move(time.Minute)
	do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"a"}}}`)
	text := dump(t, e)
	do(t, e, "DeleteTable", `{"TableName":"tbl"}`)
	if _, err := e.Load(t.Context(), strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), "is there already") {
		t.Errorf("while it is told to be deleted: %v", err)
	}
	c.move(time.Minute)
	if _, err := e.Load(t.Context(), strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(do(t, e, "Scan", `{"TableName":"tbl"}`)["Count"]); got != "1" {
		t.Errorf("there are %s items", got)
	}
}

// failingStore fails all updates from one on.
type failingStore struct {
	kv.Store
	after int
	err   error
}

func (s *failingStore) Update(f func(kv.Writer) error) error {
	if s.after--; s.after < 0 {
		return fmt.Errorf("engine: commit: %w", &os.PathError{Op: "write", Path: "tables.db", Err: s.err})
	}
	return s.Store.Update(f)
}

// FuzzLoad: no text makes loading do anything but add sound tables or fail.
func FuzzLoad(f *testing.F) {
	from := open(f, "", nil)
	fill(f, from)
	f.Add(dump(f, from))
	f.Add("{\"dump\":{\"version\":1}}\n{\"table\":{\"Region\":\"r\",\"Create\":{\"TableName\":\"t\",\"KeySchema\":[{\"AttributeName\":\"k\",\"KeyType\":\"HASH\"}],\"AttributeDefinitions\":[{\"AttributeName\":\"k\",\"AttributeType\":\"S\"}]}}}\n{\"item\":{\"k\":{\"S\":\"a\"}}}\n{\"end\":{\"tables\":1,\"items\":1}}\n")
	f.Fuzz(func(t *testing.T, text string) {
		e, err := engine.Open("", &engine.Options{SweepEvery: -1})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		if _, err := e.Load(t.Context(), strings.NewReader(text)); err != nil {
			return
		}
		e.WaitFilled()
		if err := e.Check(); err != nil {
			t.Error(err)
		}
	})
}
