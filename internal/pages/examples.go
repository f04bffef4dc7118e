package pages

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var example = regexp.MustCompile(`(?m)^func (Example\w*)\(\)`)

// CheckExamples fails the test for each Example function in the Go files that match a pattern and that none of the pages
// shows: an example that nobody reads. Both patterns are from the folder of the test.
func CheckExamples(t testing.TB, code, texts string) {
	t.Helper()
	shown := map[string]bool{} // file:name
	for _, page := range glob(t, texts) {
		for line := range strings.Lines(read(t, page)) {
			source, ok := mark(strings.TrimSpace(line), codeMark)
			if words := strings.Fields(source); ok && len(words) > 0 {
				file := filepath.Join(filepath.Dir(page), filepath.FromSlash(words[0]))
				for _, name := range words[1:] {
					shown[file+":"+name] = true
				}
			}
		}
	}
	for _, file := range glob(t, code) {
		for _, m := range example.FindAllStringSubmatch(read(t, file), -1) {
			if !shown[filepath.Clean(file)+":"+m[1]] {
				t.Errorf("%s: no page shows %s", file, m[1])
			}
		}
	}
}

// CheckIndex fails the test for each page that matches a pattern and that the index does not link to.
func CheckIndex(t testing.TB, index, texts string) {
	t.Helper()
	var linked []string
	for _, m := range link.FindAllStringSubmatch(read(t, index), -1) {
		target, _, _ := strings.Cut(m[1], "#")
		linked = append(linked, filepath.Join(filepath.Dir(index), filepath.FromSlash(target)))
	}
	for _, page := range glob(t, texts) {
		if page = filepath.Clean(page); page != filepath.Clean(index) && !slices.Contains(linked, page) {
			t.Errorf("%s has no link to %s", index, page)
		}
	}
}

func glob(t testing.TB, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Errorf("no files %s: %v", pattern, err)
	}
	return files
}

func read(t testing.TB, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Error(err)
	}
	return string(text)
}
