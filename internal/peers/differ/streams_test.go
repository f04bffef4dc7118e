package differ_test

import (
	"time"

	"github.com/tablewright/tablewright/internal/peers/ledger"
)

// streamsEvery is how many requests are sent until what they have put into streams is compared.
const streamsEvery = 200

// compareStreams reads on in the streams of all tables, on both sides, and compares what they tell of each item, in order.
// Records of different items may come in any order. What Local had to be repaired by is in its streams too: then those of
// the table are only read.
func (c *comparison) compareStreams() {
	c.t.Helper()
	for _, s := range shapes {
		ours := c.records(s, 0, 0)
		theirs := c.records(s, 1, len(ours))
		if !c.repaired[s.name] {
			r := request{operation: "GetRecords", in: obj{"table": s.name}}
			c.report(r, ledger.Compare("GetRecords", ledger.Answer{Body: byItem(ours)}, ledger.Answer{Body: byItem(theirs)}))
		}
		delete(c.repaired, s.name)
	}
}

// records are those of a table that have come on a side, 0 or 1, since it was asked last. Local may be late with some: it is
// asked until there are at least so many, or there was time enough.
func (p *pair) records(s *shape, side, atLeast int) (all []any) {
	p.t.Helper()
	url := []string{p.ours, p.theirs}[side]
	ask := func(operation string, in obj) map[string]any {
		answer := p.askAlone(url, operation, in)
		if answer.Failed != "" {
			p.t.Fatalf("%s %s: %s", operation, ledger.Text(in), answer.Failed)
		}
		return answer.Body.(map[string]any)
	}
	at := p.streams[s.name]
	if at[side] == nil {
		list := ask("ListStreams", obj{"TableName": s.name})["Streams"].([]any)
		arn := list[0].(map[string]any)["StreamArn"]
		stream := ask("DescribeStream", obj{"StreamArn": arn})["StreamDescription"].(map[string]any)
		shards := stream["Shards"].([]any)
		if len(list) != 1 || len(shards) != 1 || stream["StreamViewType"] != s.view || stream["StreamStatus"] != "ENABLED" {
			p.t.Fatalf("%d streams, %s", len(list), ledger.Text(stream))
		}
		at[side] = ask("GetShardIterator", obj{"StreamArn": arn, "ShardId": shards[0].(map[string]any)["ShardId"], "ShardIteratorType": "TRIM_HORIZON"})["ShardIterator"]
	}
	for end := time.Now().Add(5 * time.Second); ; {
		page := ask("GetRecords", obj{"ShardIterator": at[side]})
		records := page["Records"].([]any)
		all = append(all, records...)
		at[side] = page["NextShardIterator"]
		if len(records) == 0 && (len(all) >= atLeast || time.Now().After(end)) {
			break
		}
	}
	p.streams[s.name] = at
	return all
}

// byItem are records by the keys of their items, without what each side has its own of.
func byItem(records []any) map[string]any {
	items := map[string]any{}
	for _, r := range records {
		r := r.(map[string]any)
		change := r["dynamodb"].(map[string]any)
		for _, own := range []string{"ApproximateCreationDateTime", "SequenceNumber"} {
			delete(change, own)
		}
		delete(r, "eventID")
		delete(r, "awsRegion")
		key := ledger.Text(change["Keys"])
		of, _ := items[key].([]any)
		items[key] = append(of, r)
	}
	return items
}
