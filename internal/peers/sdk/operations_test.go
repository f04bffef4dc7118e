package sdk_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/wire"
)

// clients are the columns of the table of operations: the clients, by what the names of their tests begin with.
var clients = []string{"TestGo", "TestJavaScript", "TestPython", "TestCommandLine"}

// called is that table: by client and operation whether a server has answered it without an error. What the installed
// version of a client does not know yet stands in unknown.
var called, unknown = struct {
	sync.Mutex
	by map[string]map[string]bool
}{by: map[string]map[string]bool{}}, map[string]map[string]bool{}

// note adds to a table the operations of a test's client.
func note(table map[string]map[string]bool, t *testing.T, operations ...string) {
	t.Helper()
	i := slices.IndexFunc(clients, func(c string) bool { return strings.HasPrefix(t.Name(), c) })
	if i < 0 {
		t.Fatalf("%s is of no client", t.Name())
	}
	called.Lock()
	defer called.Unlock()
	if table[clients[i]] == nil {
		table[clients[i]] = map[string]bool{}
	}
	for _, o := range operations {
		table[clients[i]][o] = true
	}
}

// usualAnswers are what counts as an answer to an operation where success does not.
var usualAnswers = map[string]string{
	"DescribeTableReplicaAutoScaling": wire.CodeResourceNotFound, // there are no global tables
}

// answered is a line of the metrics of a server about an operation.
var answered = regexp.MustCompile(`(?m)^tablewright_requests_total\{operation="(\w+)",code="(\w+)"\}`)

// noteMetrics notes what a server has answered, by its own account.
func noteMetrics(t *testing.T, metrics []byte) {
	t.Helper()
	for _, m := range answered.FindAllSubmatch(metrics, -1) {
		if operation := string(m[1]); string(m[2]) == cmp.Or(usualAnswers[operation], "OK") {
			note(called.by, t, operation)
		}
	}
}

// noteServer is noteMetrics for a server that listens, whoever has signed its certificate.
func noteServer(t *testing.T, url string) {
	t.Helper()
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	defer transport.CloseIdleConnections()
	r, err := (&http.Client{Transport: transport}).Get(url + "/metrics")
	if err != nil {
		t.Error(err)
		return
	}
	defer r.Body.Close()
	metrics, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Errorf("%s %v", r.Status, err)
	}
	noteMetrics(t, metrics)
}

// noteEngine is noteMetrics for an engine in this process.
func noteEngine(t *testing.T, e *engine.Engine) {
	t.Helper()
	var metrics bytes.Buffer
	if err := e.WriteMetrics(&metrics); err != nil {
		t.Error(err)
	}
	noteMetrics(t, metrics.Bytes())
}

// lacks is a line of a script about an operation that its client does not know.
var lacks = regexp.MustCompile(`(?m)^lacks (\w+)$`)

// noteScript looks at what a script has said, which has to end with "to the end": an asynchronous script can end early
// without an error.
func noteScript(t *testing.T, said []byte) {
	t.Helper()
	if !strings.HasSuffix(string(said), "to the end\n") {
		t.Errorf("the script ended early: %s", said)
	}
	for _, m := range lacks.FindAllSubmatch(said, -1) {
		note(unknown, t, string(m[1]))
	}
	t.Logf("%s", said)
}

// operations are those of the API, by the SDK for Go, that the engine has.
func operations() (names []string, err error) {
	e, err := engine.Open("", &engine.Options{SweepEvery: -1})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	for _, client := range []reflect.Type{reflect.TypeFor[*dynamodb.Client](), reflect.TypeFor[*dynamodbstreams.Client]()} {
		for m := range client.Methods() {
			if m.Name == "Options" {
				continue
			}
			var refused *wire.Error
			if _, err := e.Do(context.Background(), m.Name, []byte("{}")); errors.As(err, &refused) && refused.Code == wire.CodeUnknownOperation {
				continue
			}
			names = append(names, m.Name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// judge writes the table and answers how many of its places are empty: each client, as far as it is installed, has to have
// been answered each operation that the engine has.
func judge(w io.Writer) (missing int, err error) {
	names, err := operations()
	if err != nil {
		return 0, err
	}
	for _, o := range names {
		fmt.Fprintf(w, "%-40s", o)
		for _, c := range clients {
			word := strings.TrimPrefix(c, "Test")
			switch l := called.by[c]; {
			case l == nil:
				word = "not here"
			case unknown[c][o]:
				word = "unknown to it"
			case !l[o]:
				word = "MISSING"
				missing++
			}
			fmt.Fprintf(w, "%-14s", word)
		}
		fmt.Fprintln(w)
	}
	return missing, nil
}

func TestMain(m *testing.M) {
	code := m.Run()
	if path, err := program(); err == nil {
		_ = os.RemoveAll(filepath.Dir(path))
	}
	all := true // tests were run, so that there is nothing else to blame
	for _, name := range []string{"test.run", "test.skip"} {
		all = all && flag.Lookup(name).Value.String() == ""
	}
	if all && code == 0 && flag.Lookup("test.list").Value.String() == "" {
		var table bytes.Buffer
		missing, err := judge(&table)
		if missing > 0 || err != nil {
			fmt.Printf("--- FAIL: operations that a client's tests do not call: %d %v\n%s", missing, err, &table)
			code = 1
		} else if testing.Verbose() {
			fmt.Printf("%s", &table)
		}
	}
	os.Exit(code)
}
