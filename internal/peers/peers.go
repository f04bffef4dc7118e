package peers

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Variables of the environment that say where install.sh put things.
const (
	LocalFolder     = "TABLEWRIGHT_DYNAMODB_LOCAL" // the folder of DynamoDBLocal.jar
	NodeModules     = "TABLEWRIGHT_NODE_MODULES"   // the folder node_modules with @aws-sdk/client-dynamodb
	Dynoxide        = "TABLEWRIGHT_DYNOXIDE"       // the program dynoxide
	TerraformFolder = "TABLEWRIGHT_TERRAFORM"      // the folder of tofu and terraform-provider-aws
	Require         = "TABLEWRIGHT_REQUIRE_PEERS"  // if set, a test fails where it would skip because a peer is not there
)

// Brief makes Java do without the better and slower of its two compilers, which in a run of some ten thousand requests never
// earns back what it costs, and collect garbage on one processor: a third of the time in all. Measurements of DynamoDB
// Local's speed must not use it.
var Brief = []string{"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"}

// patience is how long a server may take until it answers.
const patience = 60 * time.Second

// StartLocal starts DynamoDB Local with its data in memory and answers its address, "http://127.0.0.1:8123", and its
// process, which ends with the test. Without DynamoDB Local the test is skipped. Options of Java may be given, such as
// [Brief].
func StartLocal(t testing.TB, javaOptions ...string) (url string, process *os.Process) {
	t.Helper()
	cmd, address := localCommand(t, javaOptions)
	cmd.Dir = t.TempDir()
	return startServer(t, cmd, address), cmd.Process
}

// localCommand is what starts DynamoDB Local, and the address it then answers on.
func localCommand(t testing.TB, javaOptions []string) (cmd *exec.Cmd, address string) {
	t.Helper()
	lib := os.Getenv(LocalFolder)
	if lib == "" {
		absent(t, LocalFolder+" does not name a folder with DynamoDBLocal.jar")
	}
	if _, err := exec.LookPath("java"); err != nil {
		absent(t, "no Java: ", err)
	}
	address = freeAddress(t)
	_, port, _ := net.SplitHostPort(address)
	return exec.Command("java", slices.Concat([]string{"-Xmx1g"}, javaOptions, []string{"-Djava.library.path=" + filepath.Join(lib, "DynamoDBLocal_lib"),
		"-jar", filepath.Join(lib, "DynamoDBLocal.jar"), "-inMemory", "-port", port, "-disableTelemetry"})...), address
}

// Local is one DynamoDB Local for all tests of a package, which starts when the first of them asks for it: it takes seconds. It
// keeps the tables of each access key apart, so that every test has its own.
type Local struct {
	mu   sync.Mutex
	url  string
	stop func()
}

// URL is its address, "http://127.0.0.1:8123". Without DynamoDB Local, and with -short, the test is skipped.
func (l *Local) URL(t testing.TB) string {
	t.Helper()
	if testing.Short() {
		t.Skip("it takes seconds to start")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.url != "" {
		return l.url
	}
	cmd, address := localCommand(t, Brief)
	dir, err := os.MkdirTemp("", "dynamodb-local")
	if err != nil {
		t.Fatal(err)
	}
	cmd.Dir = dir
	url, stop, err := serve(cmd, address)
	l.stop = func() {
		stop()
		_ = os.RemoveAll(dir)
	}
	if err != nil {
		l.stop()
		t.Fatal(err)
	}
	l.url = url
	return url
}

// Stop ends it, if it was started: TestMain's last thing.
func (l *Local) Stop() {
	if l.url != "" {
		l.stop()
	}
}

// StartDynoxide starts dynoxide, an emulator in Rust on SQLite, with its data in a file or, if file is empty, in memory, as
// StartLocal does with DynamoDB Local.
func StartDynoxide(t testing.TB, file string) (url string, process *os.Process) {
	t.Helper()
	program := os.Getenv(Dynoxide)
	if program == "" {
		absent(t, Dynoxide+" does not name the program dynoxide")
	}
	address := freeAddress(t)
	_, port, _ := net.SplitHostPort(address)
	arguments := []string{"serve", "--port", port}
	if file != "" {
		arguments = append(arguments, "--db-path", file)
	}
	cmd := exec.Command(program, arguments...)
	cmd.Dir = t.TempDir()
	return startServer(t, cmd, address), cmd.Process
}

// Node is a command that runs a script with Node.js, so that the script can import @aws-sdk/client-dynamodb. Without
// either the test is skipped. Node.js looks for modules beside a script, so it is copied to where they are, with the modules
// (.mjs) that stand beside it.
func Node(t testing.TB, script string, arguments ...string) *exec.Cmd {
	t.Helper()
	modules := os.Getenv(NodeModules)
	if modules == "" {
		absent(t, NodeModules+" does not name a folder with @aws-sdk/client-dynamodb")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		absent(t, "no Node.js: ", err)
	}
	dir := t.TempDir()
	scripts, err := filepath.Glob(filepath.Join(filepath.Dir(script), "*.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	for _, from := range scripts {
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(from)), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	copied := filepath.Join(dir, filepath.Base(script))
	if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	return exec.CommandContext(t.Context(), node, append([]string{copied}, arguments...)...)
}

// Python is a command that runs a script with the Python that has a module, such as Debian's with its python3-boto3. Without
// either the test is skipped.
func Python(t testing.TB, module, script string, arguments ...string) *exec.Cmd {
	t.Helper()
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		python, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		if exec.CommandContext(t.Context(), python, "-c", "import "+module).Run() == nil {
			return exec.CommandContext(t.Context(), python, append([]string{script}, arguments...)...)
		}
	}
	absent(t, "no Python with the module ", module)
	return nil
}

// absent skips a test for lack of a peer, or fails it where peers are required.
func absent(t testing.TB, reason ...any) {
	t.Helper()
	if os.Getenv(Require) != "" {
		t.Fatal(reason...)
	}
	t.Skip(reason...)
}

// Send gives a server of DynamoDB's protocol a request as it is and answers status and body. The signature is one that
// servers without accounts take.
func Send(ctx context.Context, client *http.Client, url, operation string, body []byte) (status int, answer []byte, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	target := "DynamoDB_20120810."
	if slices.Contains([]string{"ListStreams", "DescribeStream", "GetShardIterator", "GetRecords"}, operation) {
		target = "DynamoDBStreams_20120810."
	}
	r.Header.Set("X-Amz-Target", target+operation)
	r.Header.Set("X-Amz-Date", "20260801T000000Z")
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=peers/20260801/us-east-1/dynamodb/aws4_request, "+
		"SignedHeaders=host;x-amz-date;x-amz-target, Signature=0")
	resp, err := client.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	answer, err = io.ReadAll(resp.Body)
	return resp.StatusCode, answer, err
}

// startServer starts a server and waits until it answers.
func startServer(t testing.TB, cmd *exec.Cmd, address string) (url string) {
	t.Helper()
	url, stop, err := serve(cmd, address)
	t.Cleanup(stop)
	if err != nil {
		t.Fatal(err)
	}
	return url
}

// serve is startServer without a test: stop ends the process.
func serve(cmd *exec.Cmd, address string) (url string, stop func(), err error) {
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		return "", func() {}, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	stop = func() {
		_ = cmd.Process.Kill()
		<-ended
	}
	url = "http://" + address
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		status, _, err := Send(ctx, http.DefaultClient, url, "ListTables", []byte("{}"))
		if err == nil && status == http.StatusOK {
			return url, stop, nil
		}
		select {
		case err := <-ended:
			ended <- err
			return "", stop, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, &said)
		case <-ctx.Done():
			return "", stop, fmt.Errorf("%s does not answer", strings.Join(cmd.Args, " "))
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// freeAddress is an address on this machine that nobody listens on.
func freeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// Terraform is the folder with OpenTofu and the provider of AWS that `make terraform` has built. Without it the test is skipped,
// also where peers are required: building them takes minutes.
func Terraform(t testing.TB) (folder string) {
	t.Helper()
	folder = os.Getenv(TerraformFolder)
	if folder == "" {
		t.Skip(TerraformFolder + " does not name a folder with OpenTofu and the provider of AWS: make terraform")
	}
	return folder
}
