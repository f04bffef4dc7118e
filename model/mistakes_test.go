package model_test

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/model"
)

// testdata/mistakes.txt holds mistakes that people make in a requirements file: each case changes the starter file in
// one place and has the whole of what is answered. One mistake is to have one answer, that says what to write instead.
//
//	== what is wrong
//	- text that stands in the starter file once, over one or several lines
//	+ what stands there instead; nothing: it is left out
//	diagnostics, without the name of the file
func TestMistakes(t *testing.T) {
	const file = "testdata/mistakes.txt"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	head, rest, _ := strings.Cut(string(text), "== ")
	out.WriteString(head)
	for _, c := range strings.Split(rest, "\n== ") {
		title, body, _ := strings.Cut(c, "\n")
		var from, to []string
		for line := range strings.Lines(body) {
			line = strings.TrimSuffix(line, "\n")
			switch {
			case strings.HasPrefix(line, "- "):
				from = append(from, line[2:])
			case strings.HasPrefix(line, "+ "):
				to = append(to, line[2:])
			}
		}
		starter := string(model.Starter())
		if n := strings.Count(starter, strings.Join(from, "\n")); n != 1 {
			t.Errorf("%s: what is changed stands %d times in the starter file", title, n)
			continue
		}
		changed := strings.Replace(starter, strings.Join(from, "\n"), strings.Join(to, "\n"), 1)
		_, _, found := model.ReadRequirements("", []byte(changed))
		out.WriteString("== " + title + "\n")
		for _, line := range from {
			out.WriteString("- " + line + "\n")
		}
		for _, line := range to {
			out.WriteString("+ " + line + "\n")
		}
		for _, d := range found {
			out.WriteString(strings.TrimPrefix(d.Text(), ":"))
		}
		if len(found) == 0 {
			out.WriteString("nothing to object to\n")
		}
		out.WriteString("\n")
	}
	got := bytes.TrimRight(out.Bytes(), "\n")
	got = append(got, '\n')
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(got, text) {
		t.Errorf("got\n%s", got)
	}
}
