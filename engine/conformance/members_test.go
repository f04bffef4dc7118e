package conformance

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// inputs are the requests of operations, as the API's model has them: AWS's SDK is made from it.
var inputs = map[string]any{
	"BatchExecuteStatement": dynamodb.BatchExecuteStatementInput{}, "BatchGetItem": dynamodb.BatchGetItemInput{},
	"BatchWriteItem": dynamodb.BatchWriteItemInput{}, "CreateTable": dynamodb.CreateTableInput{}, "DeleteItem": dynamodb.DeleteItemInput{},
	"DeleteResourcePolicy": dynamodb.DeleteResourcePolicyInput{}, "DeleteTable": dynamodb.DeleteTableInput{},
	"DescribeContinuousBackups": dynamodb.DescribeContinuousBackupsInput{}, "DescribeEndpoints": dynamodb.DescribeEndpointsInput{},
	"DescribeKinesisStreamingDestination": dynamodb.DescribeKinesisStreamingDestinationInput{},
	"DescribeLimits":                      dynamodb.DescribeLimitsInput{}, "DescribeTable": dynamodb.DescribeTableInput{},
	"DescribeTimeToLive": dynamodb.DescribeTimeToLiveInput{}, "ExecuteStatement": dynamodb.ExecuteStatementInput{},
	"ExecuteTransaction": dynamodb.ExecuteTransactionInput{}, "GetItem": dynamodb.GetItemInput{},
	"GetResourcePolicy": dynamodb.GetResourcePolicyInput{}, "ListTables": dynamodb.ListTablesInput{},
	"ListTagsOfResource": dynamodb.ListTagsOfResourceInput{}, "PutItem": dynamodb.PutItemInput{},
	"PutResourcePolicy": dynamodb.PutResourcePolicyInput{}, "Query": dynamodb.QueryInput{}, "Scan": dynamodb.ScanInput{},
	"TagResource": dynamodb.TagResourceInput{}, "TransactGetItems": dynamodb.TransactGetItemsInput{},
	"TransactWriteItems": dynamodb.TransactWriteItemsInput{}, "UntagResource": dynamodb.UntagResourceInput{},
	"UpdateContinuousBackups": dynamodb.UpdateContinuousBackupsInput{}, "UpdateItem": dynamodb.UpdateItemInput{},
	"UpdateTable": dynamodb.UpdateTableInput{}, "UpdateTimeToLive": dynamodb.UpdateTimeToLiveInput{},
	// DynamoDB Streams, whose SDK is one of its own (API reference, Amazon DynamoDB Streams).
	"ListStreams": struct {
		ExclusiveStartStreamArn, TableName *string
		Limit                              *int32
	}{},
	"DescribeStream": struct {
		ExclusiveStartShardId, StreamArn *string
		Limit                            *int32
		ShardFilter                      *struct{ ShardId, Type *string }
	}{},
	"GetShardIterator": struct {
		SequenceNumber, ShardId, StreamArn *string
		ShardIteratorType                  shardIteratorType
		Timestamp                          *float64
	}{},
	"GetRecords": struct {
		Limit         *int32
		ShardIterator *string
	}{},
}

// shardIteratorType is an enumeration as the SDK has them.
type shardIteratorType string

// Values implements what enumerations of the SDK have.
func (shardIteratorType) Values() []shardIteratorType {
	return []shardIteratorType{"TRIM_HORIZON", "LATEST", "AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER", "AT_TIMESTAMP"}
}

// noCase lists members that no case has, each with the reason.
const noCase = "testdata/no-case.txt"

// TestEveryMemberHasACase: every member of every operation's request, and every value of its enumerations, stands in the
// request of some case, or on the list of those that have none with the reason.
func TestEveryMemberHasACase(t *testing.T) {
	cases, err := Cases()
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, c := range cases {
		for _, s := range c.steps {
			var request any
			if json.Unmarshal([]byte(s.request), &request) == nil && inputs[s.operation] != nil {
				note(used, s.operation, reflect.TypeOf(inputs[s.operation]), request)
			}
		}
	}
	all := map[string]bool{}
	for operation, input := range inputs {
		members(all, operation, reflect.TypeOf(input))
	}
	excused := readNoCase(t)
	for _, m := range slices.Sorted(maps.Keys(all)) {
		_, listed := excused[m]
		switch {
		case !used[m] && !listed && !under(excused, m):
			t.Errorf("%s is in no case", m)
		case used[m] && listed:
			t.Errorf("%s has a case now: take it off %s", m, noCase)
		}
	}
	for m := range excused {
		if !all[m] {
			t.Errorf("%s:%d: there is no member %s", noCase, excused[m], m)
		}
	}
	for operation := range inputs {
		if !slices.Contains(operations, operation) {
			t.Errorf("%s is not on the list of operations", operation)
		}
	}
}

// under reports whether a member is inside of one that is listed.
func under(listed map[string]int, member string) bool {
	for i := range member {
		if _, ok := listed[member[:i]]; ok && (member[i] == '.' || member[i] == '=') {
			return true
		}
	}
	return false
}

// readNoCase reads lines "Operation.Member…  reason", and answers the members' lines.
func readNoCase(t *testing.T) map[string]int {
	t.Helper()
	f, err := os.Open(noCase)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	listed := map[string]int{}
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		member, reason, _ := strings.Cut(lines.Text(), " ")
		if member == "" || member == "#" {
			continue
		}
		if strings.TrimSpace(reason) == "" {
			t.Errorf("%s:%d: %s has no reason", noCase, n, member)
		}
		listed[member] = n
	}
	return listed
}

var value = reflect.TypeFor[types.AttributeValue]()

// plain is the type without pointers, lists and maps around it.
func plain(t reflect.Type) reflect.Type {
	for t != value && (t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map) {
		t = t.Elem()
	}
	return t
}

// enumeration are the values of a type that is one.
func enumeration(t reflect.Type) (words []string) {
	m, ok := t.MethodByName("Values")
	if !ok || t.Kind() != reflect.String {
		return nil
	}
	l := m.Func.Call([]reflect.Value{reflect.Zero(t)})[0]
	for i := range l.Len() {
		words = append(words, l.Index(i).String())
	}
	return words
}

// members adds the paths of all members of a type: "PutItem.ReturnValues", and "PutItem.ReturnValues=NONE".
func members(to map[string]bool, path string, t reflect.Type) {
	t = plain(t)
	for _, word := range enumeration(t) {
		to[path+"="+word] = true
	}
	if t.Kind() != reflect.Struct || t.PkgPath() == "time" {
		return
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() {
			to[path+"."+f.Name] = true
			members(to, path+"."+f.Name, f.Type)
		}
	}
}

// note adds the paths of the members that a request has.
func note(to map[string]bool, path string, t reflect.Type, v any) {
	switch v := v.(type) {
	case map[string]any:
		for t != value && t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		for name, m := range v {
			switch {
			case t.Kind() == reflect.Map:
				note(to, path, t.Elem(), m)
			case t.Kind() == reflect.Struct:
				if f, ok := t.FieldByName(name); ok && f.IsExported() {
					to[path+"."+name] = true
					note(to, path+"."+name, f.Type, m)
				}
			}
		}
	case []any:
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if t.Kind() == reflect.Slice {
			for _, m := range v {
				note(to, path, t.Elem(), m)
			}
		}
	case string:
		if len(enumeration(plain(t))) > 0 {
			to[fmt.Sprintf("%s=%s", path, v)] = true
		}
	}
}
