package sdk_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/logging"

	"github.com/tablewright/tablewright/engine"
)

// program is the path of the program under test, once it has been built.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "tablewright-sdk-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "tablewright")
	build := exec.Command("go", "build", "-o", path, "github.com/tablewright/tablewright/cmd/tablewright")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, said)
	}
	return path, nil
})

// startServe runs `tablewright serve` on a folder. When the test is over, it has to stop at a signal without an error,
// and what the folder holds has to fit together.
func startServe(t *testing.T) (url string) { return startServeWith(t) }

// startServeWith is startServe with more arguments of the command.
func startServeWith(t *testing.T, arguments ...string) (url string) {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	serve := exec.Command(path, append([]string{"serve", "--listen", "127.0.0.1:0", "--dir", dir}, arguments...)...)
	var complaints bytes.Buffer
	serve.Stderr = &complaints
	said, err := serve.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(said)
	line, err := lines.ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if err != nil || !ok {
		_ = serve.Process.Kill()
		t.Fatalf("serve said %q, %v, %s", line, err, &complaints)
	}
	t.Cleanup(func() {
		noteServer(t, url)
		if err := serve.Process.Signal(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
		_, _ = io.Copy(io.Discard, lines)
		if err := serve.Wait(); err != nil {
			t.Errorf("serve: %v\n%s", err, &complaints)
		}
		e, err := engine.Open(dir, &engine.Options{SweepEvery: -1})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(e.Check(), e.Close()); err != nil {
			t.Error(err)
		}
	})
	return url
}

// startEngine serves an engine in this process that looks for expired items many times a second, where serve does so
// every minute. When the test is over, what it holds
// has to fit together.
func startEngine(t *testing.T, wrap func(http.Handler) http.Handler) (url string) {
	t.Helper()
	e, err := engine.Open("", &engine.Options{SweepEvery: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(wrap(e.Handler()))
	t.Cleanup(func() {
		server.Close()
		noteEngine(t, e)
		if err := e.Check(); err != nil {
			t.Error(err)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return server.URL
}

func asItIs(h http.Handler) http.Handler { return h }

// newClient is a client whose warnings, such as of a wrong checksum, are failures.
func newClient(t *testing.T, url string) *dynamodb.Client {
	return newClientThatWarns(url, func(warning string) { t.Error(warning) })
}

func newClientThatWarns(url string, warn func(string)) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		Region:       "us-east-1",
		BaseEndpoint: aws.String(url),
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "peers", SecretAccessKey: "peers"}, nil
		}),
		RetryMaxAttempts: 1, // a failure is one, not the first of three
		Logger: logging.LoggerFunc(func(_ logging.Classification, format string, v ...any) {
			warn(fmt.Sprintf(format, v...))
		}),
	})
}

type item = map[string]types.AttributeValue

func str(s string) types.AttributeValue    { return &types.AttributeValueMemberS{Value: s} }
func num(s string) types.AttributeValue    { return &types.AttributeValueMemberN{Value: s} }
func set(s ...string) types.AttributeValue { return &types.AttributeValueMemberSS{Value: s} }
