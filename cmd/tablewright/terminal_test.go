//go:build unix

package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/tablewright/tablewright/model"
)

// onTerminal runs the command on a terminal of its own, and calls seen with all that has appeared there each time more
// does. It returns that and the exit code.
func onTerminal(t *testing.T, dir string, env []string, seen func(c *exec.Cmd, text string), args ...string) (text string, code int) {
	t.Helper()
	c := exec.Command(program(), args...)
	c.Dir = dir
	c.Env = append(os.Environ(), append([]string{"TERM=xterm", "NO_COLOR="}, env...)...)
	terminal, err := pty.StartWithSize(c, &pty.Winsize{Rows: 24, Cols: 60})
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	hung := time.AfterFunc(2*time.Minute, func() { _ = c.Process.Kill() })
	defer hung.Stop()
	var all bytes.Buffer
	buffer := make([]byte, 4096)
	for {
		n, err := terminal.Read(buffer)
		all.Write(buffer[:n])
		if seen != nil {
			seen(c, all.String())
		}
		if err != nil { // Linux reports the end of a terminal as EIO
			if !errors.Is(err, io.EOF) && !errors.Is(err, syscall.EIO) {
				t.Fatal(err)
			}
			break
		}
	}
	err = c.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return all.String(), c.ProcessState.ExitCode()
}

func starter(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "shop.yaml"), model.Starter(), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestTerminal: on a terminal progress is shown on one line that never wraps and is gone at the end, and verdicts have
// colors; NO_COLOR takes the colors, --quiet the progress.
func TestTerminal(t *testing.T) {
	t.Parallel()
	const green = "\x1b[32m"
	shop, err := filepath.Abs("../../examples/online-shop.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text, code := onTerminal(t, starter(t), nil, nil, "build", shop, "--time", "2s")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, text)
	}
	if !strings.Contains(text, "design: ") || !strings.Contains(text, "prove: ") {
		t.Errorf("no progress in %q", text)
	}
	progress, rest, _ := cutLast(text, erase)
	if strings.Contains(progress, "\n") {
		t.Errorf("progress breaks into lines: %q", progress)
	}
	for line := range strings.SplitSeq(progress, erase) {
		if n := len([]rune(stripped(line))); n > 59 {
			t.Errorf("a line of %d columns on a terminal of 60: %q", n, line)
		}
	}
	if !strings.HasPrefix(rest, "online-shop: ") || !strings.Contains(rest, green) {
		t.Errorf("after the progress stands %q", rest)
	}

	text, _ = onTerminal(t, starter(t), []string{"NO_COLOR=1"}, nil, "build", "shop.yaml", "--quiet")
	if strings.Contains(text, "\x1b") {
		t.Errorf("with NO_COLOR and --quiet: %q", text)
	}
	if text, _ = onTerminal(t, starter(t), nil, nil, "new"); strings.Contains(text, erase) {
		t.Errorf("what takes no second shows progress: %q", text)
	}
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// stripped is a line of a terminal without its colors.
func stripped(line string) string {
	for {
		i := strings.Index(line, "\x1b[")
		if i < 0 {
			return line
		}
		j := strings.IndexByte(line[i:], 'm')
		if j < 0 {
			return line
		}
		line = line[:i] + line[i+j+1:]
	}
}
