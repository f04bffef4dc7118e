package wire_test

import (
	"encoding/json"
	"testing"

	"github.com/tablewright/tablewright/wire"
)

// answer is what a client reads, as a server writes it.
type answer = func(dst []byte) []byte

// answers read an answer by the operation's name; "Error" stands for that of any.
var answers = map[string]func([]byte) (answer, error){
	"GetItem":               reads(wire.DecodeGetItemOutput),
	"PutItem":               reads(wire.DecodeWriteOutput),
	"Query":                 reads(wire.DecodeReadOutput),
	"Scan":                  reads(wire.DecodeReadOutput),
	"BatchGetItem":          reads(wire.DecodeBatchGetItemOutput),
	"BatchWriteItem":        reads(wire.DecodeBatchWriteItemOutput),
	"TransactGetItems":      reads(wire.DecodeTransactGetItemsOutput),
	"TransactWriteItems":    reads(wire.DecodeTransactWriteItemsOutput),
	"ExecuteStatement":      reads(wire.DecodeExecuteStatementOutput),
	"ExecuteTransaction":    reads(wire.DecodeExecuteTransactionOutput),
	"BatchExecuteStatement": reads(wire.DecodeBatchExecuteStatementOutput),
	"ListTables":            reads(wire.DecodeListTablesOutput),
	"DescribeTimeToLive":    reads(wire.DecodeDescribeTimeToLiveOutput),
	"ListStreams":           reads(wire.DecodeListStreamsOutput),
	"DescribeStream":        reads(wire.DecodeDescribeStreamOutput),
	"GetShardIterator":      reads(wire.DecodeGetShardIteratorOutput),
	"GetRecords":            reads(wire.DecodeGetRecordsOutput),
	"DescribeTable": func(b []byte) (answer, error) {
		out, err := wire.DecodeTableOutput(b)
		return func(dst []byte) []byte { return out.Append(dst, true) }, err
	},
	"Error": func(b []byte) (answer, error) {
		return wire.DecodeError(400, b).Append, nil
	},
}

func reads[T interface{ Append([]byte) []byte }](decode func([]byte) (T, error)) func([]byte) (answer, error) {
	return func(b []byte) (answer, error) {
		out, err := decode(b)
		return func(dst []byte) []byte { return out.Append(dst) }, err
	}
}

// TestAnswersAreRead: every answer of testdata/answers.txt is taken and there is one for every decoder.
func TestAnswersAreRead(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range requests(t, "answers.txt") {
		seen[a[0]] = true
		if _, err := answers[a[0]]([]byte(a[1])); err != nil {
			t.Errorf("%s %s: %v", a[0], a[1], err)
		}
	}
	for name := range answers {
		if !seen[name] {
			t.Errorf("no answer of %s in testdata/answers.txt", name)
		}
	}
}

// FuzzAnswers: no answer, of a server however broken, makes a client's decoder panic; what it takes it can write, and reads
// that as the same.
func FuzzAnswers(f *testing.F) {
	for _, a := range requests(f, "answers.txt") {
		f.Add(a[0], a[1])
	}
	f.Fuzz(func(t *testing.T, operation, body string) {
		decode := answers[operation]
		if decode == nil {
			return
		}
		write, err := decode([]byte(body))
		if err != nil {
			return
		}
		text := write(nil)
		if !json.Valid(text) {
			t.Fatalf("%s is written as %s", body, text)
		}
		again, err := decode(text)
		if err != nil {
			t.Fatalf("%s\nis written as %s\nand refused: %v", body, text, err)
		}
		if twice := again(nil); string(twice) != string(text) {
			t.Errorf("%s\nis written as %s\nand then as   %s", body, text, twice)
		}
	})
}
