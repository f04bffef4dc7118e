package pages

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Generated are the computed parts of pages by their names: each is Markdown, with or without a last line end.
type Generated map[string]func() (string, error)

// Check fails the test for each page that matches one of the patterns (as of path/filepath.Match, from the folder of the
// test) and is not as Render makes it, telling the first line that differs; with update such a page is written instead. A
// pattern without a page is a failure, too.
func Check(t testing.TB, update bool, generated Generated, patterns ...string) {
	t.Helper()
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Errorf("no pages %s: %v", pattern, err)
		}
		for _, file := range files {
			was, err := os.ReadFile(file)
			if err != nil {
				t.Error(err)
				continue
			}
			is, err := Render(file, was, generated)
			switch {
			case err != nil:
				t.Error(err)
			case bytes.Equal(is, was):
			case update:
				if err := os.WriteFile(file, is, 0o644); err != nil {
					t.Error(err)
				}
			default:
				t.Errorf("%s is not what its sources say now: go test -update writes it", differs(file, was, is))
			}
		}
	}
}

// differs names the first line in which two versions of a file differ.
func differs(file string, was, is []byte) string {
	a, b := strings.Split(string(was), "\n"), strings.Split(string(is), "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("%s:%d: %q, now %q:\n%s", file, i+1, a[i], b[i], file)
		}
	}
	return fmt.Sprintf("%s:%d", file, min(len(a), len(b)))
}

const (
	codeMark  = "<!-- code: "
	beginMark = "<!-- begin: "
	endMark   = "<!-- end: "
	markEnd   = " -->"
	fence     = "```"
)

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// Render makes a page's text anew: the blocks behind its marks as the Go files have them, the computed parts as generated
// has them; where generated is nil the computed parts stay as they are. file is where the page is, or would be. Its errors
// begin with file and line.
func Render(file string, page []byte, generated Generated) ([]byte, error) {
	var out strings.Builder
	lines := strings.Split(string(page), "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		fail := func(format string, args ...any) ([]byte, error) {
			return nil, fmt.Errorf("%s:%d: %w", file, i+1, fmt.Errorf(format, args...))
		}
		put := func(s string) { out.WriteString(s + "\n") }
		if source, ok := mark(line, codeMark); ok {
			words := strings.Fields(source)
			if len(words) == 0 {
				return fail("no file")
			}
			code, err := Code(filepath.Join(filepath.Dir(file), filepath.FromSlash(words[0])), words[1:]...)
			if err != nil {
				return fail("%w", err)
			}
			put(line)
			put(fence + "go")
			out.WriteString(code)
			put(fence)
			if next := i + 1; next < len(lines) && lines[next] == fence+"go" { // what was there before
				if i = closing(lines, next); i < 0 {
					i = next
					return fail("the block does not end")
				}
			}
			continue
		}
		if name, ok := mark(line, beginMark); ok {
			if generated == nil {
				put(line)
				continue
			}
			make, end := generated[name], i+1
			if make == nil {
				return fail("nothing makes %s", name)
			}
			for ; end < len(lines); end++ {
				if of, ok := mark(lines[end], endMark); ok && of == name {
					break
				}
			}
			if end == len(lines) {
				return fail("%s does not end", name)
			}
			text, err := make()
			if err != nil {
				return fail("%s: %w", name, err)
			}
			put(line)
			put(strings.TrimSuffix(text, "\n"))
			put(lines[end])
			i = end
			continue
		}
		if strings.HasPrefix(line, fence) {
			if line == fence+"go" {
				return fail("where does this block of Go come from? Put a line <!-- code: FILE NAME --> above it")
			}
			end := closing(lines, i)
			if end < 0 {
				return fail("the block does not end")
			}
			put(strings.Join(lines[i:end+1], "\n"))
			i = end
			continue
		}
		for _, m := range link.FindAllStringSubmatch(line, -1) {
			target, _, _ := strings.Cut(m[1], "#")
			if target == "" || strings.Contains(target, ":") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), filepath.FromSlash(target))); err != nil {
				return fail("a link to %s, which is not there", target)
			}
		}
		put(line)
	}
	return []byte(strings.TrimSuffix(out.String(), "\n")), nil // of the split after the last line end
}

// mark is what a marking line says.
func mark(line, kind string) (string, bool) {
	s, ok := strings.CutPrefix(line, kind)
	if !ok {
		return "", false
	}
	s, ok = strings.CutSuffix(s, markEnd)
	return strings.TrimSpace(s), ok
}

// closing is the line that ends the block of code which begins at a line, or -1.
func closing(lines []string, begin int) int {
	for i := begin + 1; i < len(lines); i++ {
		if lines[i] == fence {
			return i
		}
	}
	return -1
}
