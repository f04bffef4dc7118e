package tablewright_test

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/internal/peers"
)

// local is DynamoDB Local, where it is installed.
var (
	local     peers.Local
	localKeys atomic.Int64
)

func TestMain(m *testing.M) {
	code := m.Run()
	local.Stop()
	os.Exit(code)
}

// onLocal makes a table in DynamoDB Local, where the test sees only what it makes itself.
func onLocal(t testing.TB, o tablewright.Options, table *tablewright.Table) *tablewright.DB {
	t.Helper()
	o.Endpoint = local.URL(t)
	key := fmt.Sprint("test", localKeys.Add(1))
	o.AWS = &aws.Config{Region: "us-east-1", Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		return aws.Credentials{AccessKeyID: key, SecretAccessKey: "any"}, nil
	})}
	if o.Clock == nil {
		o.Clock = newClock()
	}
	db, err := tablewright.Connect(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := table.CreateIn(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	return db
}
