package wire_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/wire"
)

// TestAnswersAsJSON holds answers against the members that the API reference names
// (docs.aws.amazon.com/amazondynamodb/latest/APIReference/Welcome.html).
func TestAnswersAsJSON(t *testing.T) {
	for want, out := range map[string]interface{ Append(dst []byte) []byte }{
		`{"AccountMaxReadCapacityUnits":1,"AccountMaxWriteCapacityUnits":2,"TableMaxReadCapacityUnits":3,"TableMaxWriteCapacityUnits":4}`: &wire.LimitsOutput{AccountRead: 1, AccountWrite: 2, TableRead: 3, TableWrite: 4},
		`{"Endpoints":[{"Address":"a","CachePeriodInMinutes":5}]}`:                                                                        &wire.EndpointsOutput{Endpoints: []wire.Endpoint{{Address: "a", Minutes: 5}}},
		`{"TableName":"T","KinesisDataStreamDestinations":[{"StreamArn":"arn","DestinationStatus":"ACTIVE"}]}`:                            &wire.DescribeKinesisOutput{TableName: "T", Destinations: []wire.KinesisDestination{{StreamARN: "arn", Status: "ACTIVE"}}},
		`{"ContributorInsightsSummaries":[{"TableName":"T","ContributorInsightsStatus":"ENABLED"}]}`:                                      &wire.ListInsightsOutput{Summaries: []wire.Insights{{TableName: "T", Status: "ENABLED"}}},
		`{"TableName":"T","IndexName":"I","ContributorInsightsStatus":"DISABLED"}`:                                                        &wire.Insights{TableName: "T", IndexName: "I", Status: "DISABLED"},
		`{"Tags":[{"Key":"team","Value":"shop"}],"NextToken":"n"}`:                                                                        &wire.ListTagsOutput{Tags: []wire.Tag{{Key: "team", Value: "shop"}}, NextToken: "n"},
		`{"TimeToLiveSpecification":{"AttributeName":"until","Enabled":true}}`:                                                            &wire.UpdateTimeToLiveOutput{TTL: wire.TimeToLive{Attribute: "until", Enabled: true}},
		`{"Policy":"{}","RevisionId":"1"}`:                                                                                                &wire.ResourcePolicyOutput{Policy: "{}", Revision: "1"},
	} {
		got := string(out.Append([]byte("x")))
		var a, b any
		if json.Unmarshal([]byte(got[1:]), &a) != nil || json.Unmarshal([]byte(want), &b) != nil || got[0] != 'x' || canonical(a) != canonical(b) {
			t.Errorf("%T:\n%s\nwant\n%s", out, got, want)
		}
	}
	for _, out := range []interface{ Append(dst []byte) []byte }{
		&wire.KinesisOutput{TableName: "T", StreamARN: "arn", Status: "ENABLING"}, &wire.ContinuousBackupsOutput{},
	} {
		if text := out.Append(nil); !json.Valid(text) {
			t.Errorf("%T: %s", out, text)
		}
	}
}

func canonical(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}

func TestDecodeEmpty(t *testing.T) {
	if err := wire.DecodeEmpty([]byte(`{"Something":{"else":[1]}}`), "DescribeLimitsInput"); err != nil {
		t.Error(err)
	}
	var e *wire.Error
	if err := wire.DecodeEmpty([]byte(`{`), "DescribeLimitsInput"); !errors.As(err, &e) || !strings.HasSuffix(e.Code, "SerializationException") {
		t.Error(err)
	}
}

func TestHTTPStatus(t *testing.T) {
	for code, want := range map[string]int{wire.CodeValidation: 400, wire.CodeConditionFailed: 400, wire.CodeThroughputExceeded: 400, wire.CodeInternal: 500, wire.CodeUnavailable: 503} {
		if got := wire.NewError(code, "m").HTTPStatus(); got != want {
			t.Errorf("%s: %d", code, got)
		}
	}
	if got := (&wire.Error{Code: "Other", Status: 413}).HTTPStatus(); got != 413 {
		t.Errorf("a stated status: %d", got)
	}
}

func TestRawListMemory(t *testing.T) {
	var l *wire.RawList
	if l.Size() != 0 {
		t.Error("a nil list has a size")
	}
	l = &wire.RawList{}
	l.AddItem(item("a"))
	l.AddItem(item("b"))
	if want := len(`{"pk":{"S":"a"}},{"pk":{"S":"b"}}`); l.Size() != want || l.Len() != 2 {
		t.Errorf("%d bytes, %d items", l.Size(), l.Len())
	}
	l.Reset()
	if l.Size() != 0 || l.Len() != 0 {
		t.Errorf("%d bytes after Reset", l.Size())
	}
	l.AddItem(item("c"))
	for r := range l.All() {
		if string(r) != `{"pk":{"S":"c"}}` {
			t.Errorf("%s", r)
		}
	}
}

func TestTagAbsent(t *testing.T) {
	in, err := wire.DecodeTags([]byte(`{"ResourceArn":"arn:aws:dynamodb:eu-north-1:123456789012:table/Tbl","Tags":[{"Key":"a"},{"Key":"b","Value":""},{"Value":"c"}]}`), "TagResourceInput")
	if in == nil {
		t.Fatal(err)
	}
	var got [][2]bool
	for _, tag := range in.Tags {
		key, value := tag.Absent()
		got = append(got, [2]bool{key, value})
	}
	if len(got) != 3 || got[0] != [2]bool{false, true} || got[1] != [2]bool{} || got[2] != [2]bool{true, false} {
		t.Errorf("%v", got)
	}
}

func TestOf(t *testing.T) {
	if a := wire.Of(item("a")); !attr.EqualItems(a.Item, item("a")) || a.Bad != nil {
		t.Errorf("%+v", a)
	}
}
