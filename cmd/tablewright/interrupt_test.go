//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tablewright/tablewright/internal/pipeline"
)

var interrupts = flag.Int("interrupts", 12, "how many commands TestInterrupts interrupts")

// soon is how long a command may go on after it was interrupted.
const soon = time.Second

// TestInterrupts: whenever Ctrl-C or a request to terminate comes, a command ends within a second, says so, and has written
// all of its files or none: never half of one, none beside others of the last time, and nothing that it meant to rename.
// A second signal ends it at once; then single files may be new.
func TestInterrupts(t *testing.T) {
	shop, err := filepath.Abs("../../examples/online-shop.yaml")
	if err != nil {
		t.Fatal(err)
	}
	start := starter(t)
	start = filepath.Join(start, "shop.yaml")
	commands := []struct {
		args []string
		most time.Duration // after which the interrupt comes at the latest: about as long as it takes
	}{
		{[]string{"build", start, "--out", "out"}, 1500 * time.Millisecond},
		{[]string{"build", shop, "--out", "out", "--time", "1s"}, 4 * time.Second},
		{[]string{"design", shop, "--out", "out/model.yaml", "--time", "2s"}, 3 * time.Second},
		{[]string{"prove", start, "--evidence", "out/proof.json"}, 1500 * time.Millisecond},
		{[]string{"explain", shop, "Order", "--time", "2s"}, 3 * time.Second},
		{[]string{"compare", shop, "--time", "1s"}, 2 * time.Second},
	}
	random := rand.New(rand.NewPCG(1, 1))
	ended := 0
	for i := range *interrupts {
		command := commands[i%len(commands)]
		dir := before(t, start)
		after := time.Duration(random.Float64() * float64(command.most))
		signals := []os.Signal{[]os.Signal{os.Interrupt, syscall.SIGTERM}[random.IntN(2)]}
		if i%3 == 2 {
			signals = append(signals, os.Interrupt)
		}
		code, took, text := interrupted(t, dir, command.args, after, signals)
		switch {
		case code == 0: // it was ready before
		case code == -1 && after < 50*time.Millisecond: // it had not begun to listen
		case code != exitInterrupted || !strings.HasSuffix(text, "tablewright: interrupted\n"):
			t.Errorf("%s, after %s: exit code %d: %s", command.args, after, code, text)
		default:
			ended++
		}
		if took > soon {
			t.Errorf("%s, after %s: it ended %s later", command.args[0], after, took)
		}
		wholeFiles(t, dir, command.args, len(signals) == 1)
	}
	t.Logf("%d of %d were interrupted", ended, *interrupts)
	if ended < *interrupts/3 {
		t.Errorf("only %d of %d were interrupted", ended, *interrupts)
	}
}

// old is what stands in the files before.
const old = "from before\n"

// before is a folder with the files of the last time, and a model to compare with.
func before(t *testing.T, requirements string) string {
	t.Helper()
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	if err := os.Mkdir(out, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"dynamodb_requirement.md", "dynamodb_data_model.md", "proof.json"} {
		if err := os.WriteFile(filepath.Join(out, name), []byte(old), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(out, pipeline.ModelFile), sealedModel(t, requirements), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

var designedOnce []byte

// sealedModel is the model of requirements as build writes it, with a line that tells it from a new one.
func sealedModel(t *testing.T, requirements string) []byte {
	t.Helper()
	if designedOnce == nil {
		text, err := exec.Command(program(), "design", requirements).Output()
		if err != nil {
			t.Fatal(err)
		}
		designedOnce = seal(append(text, "# "+old...))
	}
	return designedOnce
}

// interrupted runs a command and sends it signals after a time. It answers exit code, how long it went on after the first
// signal, and what it has said.
func interrupted(t *testing.T, dir string, args []string, after time.Duration, signals []os.Signal) (code int, took time.Duration, text string) {
	t.Helper()
	c := exec.Command(program(), args...)
	c.Dir = dir
	var said bytes.Buffer
	c.Stderr = &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = c.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		return c.ProcessState.ExitCode(), 0, said.String()
	case <-time.After(after):
	}
	begin := time.Now()
	for _, s := range signals {
		_ = c.Process.Signal(s)
		time.Sleep(time.Millisecond)
	}
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		_ = c.Process.Kill()
		<-ended
	}
	return c.ProcessState.ExitCode(), time.Since(begin), said.String()
}

// wholeFiles checks that what lies there is whole, and with all that it is all old or all new where the command writes
// several.
func wholeFiles(t *testing.T, dir string, command []string, all bool) {
	t.Helper()
	out := filepath.Join(dir, "out")
	entries, err := os.ReadDir(out)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 4 {
		t.Errorf("%s leaves %v behind", command, entries)
	}
	isNew := 0
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(out, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.HasSuffix(text, []byte(old)) || bytes.Equal(text, designedOnce) {
			continue
		}
		isNew++
		whole := true
		switch {
		case e.Name() == "proof.json":
			whole = json.Valid(text)
		case e.Name() == pipeline.ModelFile && command[0] == "build":
			whole = untouched(filepath.Join(out, e.Name())) == nil
		case e.Name() == pipeline.ModelFile:
			_, err := pipeline.JSON(text)
			whole = err == nil && bytes.Contains(text, []byte("\nplans:\n"))
		default:
			whole = bytes.HasPrefix(text, []byte("# ")) && bytes.HasSuffix(text, []byte("\n"))
		}
		if !whole {
			t.Errorf("%s leaves half of %s", command, e.Name())
		}
	}
	if all && command[0] == "build" && isNew != 0 && isNew != 4 {
		t.Errorf("%s has written %d of 4 files", command, isNew)
	}
}
