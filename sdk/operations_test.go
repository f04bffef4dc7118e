package sdk

import (
	"reflect"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// TestOperations has the transport know every operation of the SDK's client.
func TestOperations(t *testing.T) {
	client, n := reflect.TypeFor[*dynamodb.Client](), 0
	for method := range client.Methods() {
		if method.Type.NumIn() != 4 || method.Type.NumOut() != 2 {
			continue // Options
		}
		if n++; operations[method.Name] == nil {
			t.Errorf("%s is not in the table", method.Name)
		}
	}
	if n < 50 || n != len(operations) {
		t.Errorf("the client has %d operations, the table %d", n, len(operations))
	}
}
