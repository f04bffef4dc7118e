package compare_test

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/internal/pages"
)

var update = flag.Bool("update", false, "write the pages anew")

const page = "../../../../docs/comparison.md"

// TestPage holds docs/comparison.md to the programs, and its figures to what they are.
func TestPage(t *testing.T) {
	pages.Check(t, *update, pages.Generated{"lengths": lengths}, page)
}

var heading = regexp.MustCompile(`^## (.*)`)

// lengths is the table of how long the programs are that the page shows, in the order in which it does.
func lengths() (string, error) {
	text, err := os.ReadFile(page)
	if err != nil {
		return "", err
	}
	columns := []string{"ours", "awssdk", "guregu"}
	var table strings.Builder
	table.WriteString("| program | lines: Tablewright | SDK | guregu/dynamo | tokens: Tablewright | SDK | guregu/dynamo |\n|---|---:|---:|---:|---:|---:|---:|\n")
	var sum, row [6]int
	title, shown := "", map[string]bool{}
	source := regexp.MustCompile(`^<!-- code: \S*/compare/(\w+)/(\S+) (\w+) -->`)
	at := 0
	for line := range strings.Lines(string(text)) {
		if m := heading.FindStringSubmatch(line); m != nil {
			title = m[1]
			continue
		}
		m := source.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if m[1] != columns[at] {
			return "", fmt.Errorf("under %q is %s where %s belongs", title, m[1], columns[at])
		}
		code, err := pages.Code(m[1]+"/"+m[2], m[3])
		if err != nil {
			return "", err
		}
		for line := range strings.Lines(code) {
			if n := len(strings.ReplaceAll(line, "\t", "    ")); n > 151 {
				return "", fmt.Errorf("%s/%s: a line of %d characters is no line", m[1], m[2], n-1)
			}
		}
		row[at], row[at+3] = pages.Size(code)
		if at++; at < len(columns) {
			continue
		}
		at = 0
		shown[m[3]] = true
		fmt.Fprintf(&table, "| [%s](#%s) | %d | %d | %d | %d | %d | %d |\n", title, anchor(title), row[0], row[1], row[2], row[3], row[4], row[5])
		for i := range row {
			sum[i] += row[i]
		}
	}
	for name := range programs {
		if !shown[name] {
			return "", fmt.Errorf("the page does not show %s", name)
		}
	}
	fmt.Fprintf(&table, "| all | %d | %d | %d | %d | %d | %d |\n", sum[0], sum[1], sum[2], sum[3], sum[4], sum[5])
	return table.String(), nil
}

// anchor is how Markdown on the web addresses a heading.
func anchor(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == ',' || r == '.':
			return -1
		}
		return r
	}, strings.ToLower(title))
}
