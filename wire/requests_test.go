package wire_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/wire"
)

// request is what all requests can do.
type request interface{ Append([]byte) []byte }

// decoders read a request by the operation's name.
var decoders = map[string]func([]byte) (request, error){
	"BatchExecuteStatement": func(b []byte) (request, error) { return wire.DecodeBatchExecuteStatement(b) },
	"BatchGetItem":          func(b []byte) (request, error) { return wire.DecodeBatchGetItem(b) },
	"BatchWriteItem":        func(b []byte) (request, error) { return wire.DecodeBatchWriteItem(b) },
	"DescribeContributorInsights": func(b []byte) (request, error) {
		return wire.DecodeInsights(b, "DescribeContributorInsightsInput")
	},
	"EnableKinesisStreamingDestination": func(b []byte) (request, error) {
		return wire.DecodeKinesis(b, "EnableKinesisStreamingDestinationInput")
	},
	"PutResourcePolicy": func(b []byte) (request, error) {
		return wire.DecodeResourcePolicy(b, "PutResourcePolicyInput")
	},
	"UpdateContinuousBackups": func(b []byte) (request, error) { return wire.DecodeUpdateContinuousBackups(b) },
	"UpdateContributorInsights": func(b []byte) (request, error) {
		return wire.DecodeInsights(b, "UpdateContributorInsightsInput")
	},
	"UpdateKinesisStreamingDestination": func(b []byte) (request, error) {
		return wire.DecodeKinesis(b, "UpdateKinesisStreamingDestinationInput")
	},
	"CreateTable":        func(b []byte) (request, error) { return wire.DecodeCreateTable(b) },
	"DeleteItem":         func(b []byte) (request, error) { return wire.DecodeDeleteItem(b) },
	"DescribeTable":      func(b []byte) (request, error) { return wire.DecodeNamedTable(b, "DescribeTableInput") },
	"DescribeStream":     func(b []byte) (request, error) { return wire.DecodeDescribeStream(b) },
	"ExecuteStatement":   func(b []byte) (request, error) { return wire.DecodeExecuteStatement(b) },
	"ExecuteTransaction": func(b []byte) (request, error) { return wire.DecodeExecuteTransaction(b) },
	"GetItem":            func(b []byte) (request, error) { return wire.DecodeGetItem(b) },
	"GetRecords":         func(b []byte) (request, error) { return wire.DecodeGetRecords(b) },
	"GetShardIterator":   func(b []byte) (request, error) { return wire.DecodeGetShardIterator(b) },
	"ListStreams":        func(b []byte) (request, error) { return wire.DecodeListStreams(b) },
	"ListTables":         func(b []byte) (request, error) { return wire.DecodeListTables(b) },
	"PutItem":            func(b []byte) (request, error) { return wire.DecodePutItem(b) },
	"Query":              func(b []byte) (request, error) { return wire.DecodeQuery(b) },
	"Scan":               func(b []byte) (request, error) { return wire.DecodeScan(b) },
	"TagResource":        func(b []byte) (request, error) { return wire.DecodeTags(b, "TagResourceInput") },
	"TransactGetItems":   func(b []byte) (request, error) { return wire.DecodeTransactGetItems(b) },
	"TransactWriteItems": func(b []byte) (request, error) { return wire.DecodeTransactWriteItems(b) },
	"UpdateItem":         func(b []byte) (request, error) { return wire.DecodeUpdateItem(b) },
	"UpdateTable":        func(b []byte) (request, error) { return wire.DecodeUpdateTable(b) },
	"UpdateTimeToLive":   func(b []byte) (request, error) { return wire.DecodeUpdateTimeToLive(b) },
}

// requests are lines "Operation {json}" of a file in testdata; lines that begin with a blank go on.
func requests(t testing.TB, file string) (l [][2]string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		switch {
		case strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "":
		case strings.HasPrefix(line, " "):
			l[len(l)-1][1] += strings.TrimSpace(line)
		default:
			operation, body, _ := strings.Cut(strings.TrimSpace(line), " ")
			l = append(l, [2]string{operation, body})
		}
	}
	return l
}

// TestRoundTrip: a request that was read is written as the same JSON.
func TestRoundTrip(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range requests(t, "requests.txt") {
		seen[r[0]] = true
		in, err := decoders[r[0]]([]byte(r[1]))
		if err != nil {
			t.Errorf("%s %s: %v", r[0], r[1], err)
			continue
		}
		text := in.Append(nil)
		var want, got any
		if err := json.Unmarshal([]byte(r[1]), &want); err != nil {
			t.Fatalf("%s: %v", r[1], err)
		}
		if err := json.Unmarshal(text, &got); err != nil {
			t.Errorf("%s is written as %s: %v", r[1], text, err)
		}
		if !reflect.DeepEqual(want, got) {
			t.Errorf("%s\nis written as\n%s", r[1], text)
		}
		if again := in.Append([]byte("x")); string(again) != "x"+string(text) {
			t.Errorf("%s: Append does not append", r[0])
		}
	}
	for name := range decoders {
		if !seen[name] {
			t.Errorf("no request of %s in testdata/requests.txt", name)
		}
	}
}

// TestRefusals: testdata/refusals.txt has requests, each with the answer on a line "! Code: message".
func TestRefusals(t *testing.T) {
	text, err := os.ReadFile("testdata/refusals.txt")
	if err != nil {
		t.Fatal(err)
	}
	var operation, body string
	n := 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		want, ok := strings.CutPrefix(line, "! ")
		if !ok {
			if line != "" && line[0] != '#' {
				operation, body, _ = strings.Cut(line, " ")
			}
			continue
		}
		n++
		_, err := decoders[operation]([]byte(body))
		var refused *wire.Error
		if !errors.As(err, &refused) || refused.Error() != want {
			t.Errorf("%s %s\n  got  %v\n  want %s", operation, body, err, want)
		}
	}
	if n == 0 {
		t.Error("no refusals in the file")
	}
}

// FuzzDecode: no body makes a decoder panic; what it takes it writes so that it takes it again, as the same; what it does
// not take is a SerializationException or a ValidationException.
func FuzzDecode(f *testing.F) {
	for _, r := range requests(f, "requests.txt") {
		f.Add(r[0], r[1])
	}
	f.Fuzz(func(t *testing.T, operation, body string) {
		decode := decoders[operation]
		if decode == nil {
			return
		}
		in, err := decode([]byte(body))
		if err != nil {
			var refused *wire.Error
			if !errors.As(err, &refused) || !errors.Is(err, wire.ErrInvalid) {
				t.Errorf("%s %s: %v", operation, body, err)
			}
			return
		}
		text := in.Append(nil)
		if !json.Valid(text) {
			t.Fatalf("%s is written as %s", body, text)
		}
		again, err := decode(text)
		if err != nil {
			t.Skip("a value of it is not proper, and is not written as it was")
		}
		if twice := again.Append(nil); string(twice) != string(text) {
			t.Errorf("%s\nis written as %s\nand then as   %s", body, text, twice)
		}
	})
}
