package engine_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/wire"
)

// TestStreamReplays: whatever is written, and whatever becomes of the shards meanwhile, what a stream tells makes the
// table, and no change is told twice, too early or that is none. On disk the engine is closed and opened again, too.
func TestStreamReplays(t *testing.T) {
	for _, place := range []string{"memory", "disk"} {
		for _, shards := range []int{1, 3} {
			t.Run(fmt.Sprintf("%s/%d", place, shards), func(t *testing.T) {
				t.Parallel()
				dir := ""
				if place == "disk" {
					dir = t.TempDir()
				}
				newReplay(t, dir, shards, rand.Uint64()).run(t)
			})
		}
	}
}

type replay struct {
	dir      string
	options  engine.Options
	engine   *engine.Engine
	clock    *clock
	random   *rand.Rand
	consumer *streamConsumer
	expired  int
	splits   int
}

func newReplay(t *testing.T, dir string, shards int, seed uint64) *replay {
	t.Logf("seed %d", seed)
	r := &replay{dir: dir, clock: newClock(), random: rand.New(rand.NewPCG(seed, 0))}
	r.options = engine.Options{Clock: r.clock, SweepEvery: -1, NoSync: true,
		Streams: engine.StreamOptions{Shards: shards, ShardLife: 30 * time.Minute}}
	r.reopen(t)
	do(t, r.engine, "CreateTable", "%s", withStream(schema, "NEW_AND_OLD_IMAGES"))
	do(t, r.engine, "UpdateTimeToLive", `{"TableName":"tbl","TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}}`)
	r.consumer = newStreamConsumer(streamOf(t, r.engine, "tbl"), func(operation, request string) ([]byte, error) {
		return r.engine.Do(t.Context(), operation, []byte(request))
	})
	r.consumer.limit = 7
	return r
}

func (r *replay) reopen(t *testing.T) {
	t.Helper()
	if r.engine != nil {
		r.engine.WaitFilled()
		if err := r.engine.Close(); err != nil {
			t.Fatal(err)
		}
	}
	e, err := engine.Open(r.dir, &r.options)
	if err != nil {
		t.Fatal(err)
	}
	r.engine = e
}

func (r *replay) run(t *testing.T) {
	for i := range 250 {
		r.step(t)
		if i%40 == 39 {
			r.compare(t)
		}
		if t.Failed() {
			t.Fatalf("at step %d", i)
		}
	}
	r.compare(t)
	told := map[string]int{}
	for _, c := range r.consumer.records {
		told[c.EventName]++
		if c.Expired {
			told["expired"]++
			if c.EventName != "REMOVE" {
				t.Errorf("%s by time to live", c.EventName)
			}
		}
	}
	if told["expired"] != r.expired {
		t.Errorf("%d records of expired items, %d were deleted", told["expired"], r.expired)
	}
	if told["INSERT"] == 0 || told["MODIFY"] == 0 || told["REMOVE"] == 0 || r.expired == 0 || r.splits == 0 || r.consumer.expired == 0 {
		t.Errorf("little was tested: records %v, %d splits, %d expired iterators", told, r.splits, r.consumer.expired)
	}
	if err := r.engine.Check(); err != nil {
		t.Error(err)
	}
	if err := r.engine.Close(); err != nil {
		t.Error(err)
	}
}

// compare reads the stream, and the table, and holds the items that the one tells to those of the other.
func (r *replay) compare(t *testing.T) {
	t.Helper()
	r.consumer.poll(t)
	stored := map[string]string{}
	answer := r.consumer.ask(t, "Scan", `{"TableName":"tbl"}`)
	out, err := wire.DecodeReadOutput(answer)
	if err != nil {
		t.Fatal(err)
	}
	for raw := range out.Items.All() {
		it, err := raw.Item()
		if err != nil {
			t.Fatal(err)
		}
		key := fmt.Sprintf(`{"pk":{"S":%q},"sk":{"N":%q}}`, it.Get("pk").Str(), it.Get("sk").Number().String())
		stored[key] = text(t, raw)
	}
	if !maps.Equal(stored, r.consumer.items) {
		t.Errorf("the table has %v\nthe stream tells of %v", stored, r.consumer.items)
	}
	if err := r.engine.Check(); err != nil {
		t.Error(err)
	}
}

// step does something at random.
func (r *replay) step(t *testing.T) {
	t.Helper()
	r.clock.move(time.Duration(r.random.IntN(120)) * time.Second)
	key := func() string {
		return fmt.Sprintf(`"pk":{"S":"p%d"},"sk":{"N":"%d"}`, r.random.IntN(6), r.random.IntN(4))
	}
	item := func() string {
		it := key() + fmt.Sprintf(`,"x":{"SS":["a","b%d"]},"m":{"M":{"a":{"N":"1"},"b":{"BOOL":true}}}`, r.random.IntN(2))
		switch r.random.IntN(3) {
		case 0:
			it += fmt.Sprintf(`,"ttl":{"N":"%d"}`, r.clock.Now().Unix()+int64(r.random.IntN(600)))
		case 1:
			it += `,"g":{"S":"g"},"h":{"N":"1"},"l":{"S":"l"}`
		}
		return it
	}
	update := func() string {
		return []string{`"UpdateExpression":"SET n = if_not_exists(n, :n) + :n","ExpressionAttributeValues":{":n":{"N":"1"}}`,
			`"UpdateExpression":"SET c = :n","ExpressionAttributeValues":{":n":{"N":"1"}}`, `"UpdateExpression":"REMOVE c"`}[r.random.IntN(3)]
	}
	// Keys are drawn until none comes twice: the service refuses that.
	several := func(make func(key string) string) string {
		drawn := map[string]string{}
		for range 1 + r.random.IntN(6) {
			k := key()
			drawn[k] = make(k)
		}
		var list []string
		for _, s := range drawn {
			list = append(list, s)
		}
		return strings.Join(list, ",")
	}
	may := func(operation, request string, args ...any) {
		t.Helper()
		_, err := try(r.engine, operation, request, args...)
		if err != nil && !strings.Contains(err.Error(), "ConditionalCheckFailed") {
			t.Errorf("%s: %v", operation, err)
		}
	}
	switch r.random.IntN(12) {
	case 0, 1, 2:
		may("PutItem", `{"TableName":"tbl","Item":{%s}}`, item())
	case 3:
		may("PutItem", `{"TableName":"tbl","Item":{%s},"ConditionExpression":"attribute_not_exists(pk)"}`, item())
	case 4, 5:
		may("UpdateItem", `{"TableName":"tbl","Key":{%s},%s}`, key(), update())
	case 6:
		may("DeleteItem", `{"TableName":"tbl","Key":{%s}}`, key())
	case 7:
		may("BatchWriteItem", `{"RequestItems":{"tbl":[%s]}}`, several(func(k string) string {
			if r.random.IntN(2) == 0 {
				return `{"DeleteRequest":{"Key":{` + k + `}}}`
			}
			return `{"PutRequest":{"Item":{` + k + `,"x":{"N":"1"}}}}`
		}))
	case 8:
		may("TransactWriteItems", `{"TransactItems":[%s]}`, several(func(k string) string {
			switch r.random.IntN(4) {
			case 0:
				return `{"Delete":{"TableName":"tbl","Key":{` + k + `}}}`
			case 1:
				return `{"Put":{"TableName":"tbl","Item":{` + k + `,"x":{"N":"2"}}}}`
			case 2:
				return `{"Put":{"TableName":"tbl","Item":{` + k + `},"ConditionExpression":"attribute_not_exists(pk)"}}`
			}
			return `{"Update":{"TableName":"tbl","Key":{` + k + `},` + update() + `}}`
		}))
	case 9:
		n, err := r.engine.Sweep(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		r.expired += n
	case 10:
		if r.dir != "" {
			r.reopen(t)
		}
	case 11:
		if shards := r.consumer.shards(t); r.random.IntN(4) == 0 {
			if err := r.engine.SplitShard(r.consumer.arn, shards[len(shards)-1].ID); err != nil {
				t.Error(err)
			}
			r.splits++
		}
	}
}
