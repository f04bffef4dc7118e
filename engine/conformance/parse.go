package conformance

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

//go:embed cases/*.txt
var files embed.FS

// Case is a piece of behaviour.
type Case struct {
	Name  string // file and name: "put_item: missing key"
	Why   string // the comment lines before it, or those that the file begins with
	Place string // "put_item.txt:12"
	steps []step
	setup int // how many of the steps are those that the file begins with
}

// step is a request with what is expected of it.
type step struct {
	line      int
	operation string
	request   string
	http      []string // what is unusual about it as a request of HTTP
	expect    []expectation
}

type expectation struct {
	line int
	kind byte // '<', '~', '!', '@' or '$'
	text string
}

// Subject is the file that the case is of, without its ending: "put_item".
func (c Case) Subject() string {
	subject, _, _ := strings.Cut(c.Name, ": ")
	return subject
}

// Page is the address of a page of DynamoDB's documentation: the one that the case's reason begins with, "API_PutItem: …"
// of the API reference or another single word, such as "Constraints: …", of the developer guide; otherwise that of the
// operation whose answer the case is about. It is empty for operations that there are none of.
func (c Case) Page() string {
	const reference, guide = "https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_", "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/"
	name, _, _ := strings.Cut(c.Why, ":")
	name, _, _ = strings.Cut(name, ",")
	operation := ""
	for _, s := range c.steps {
		if len(s.expect) > 0 || operation == "" {
			operation = s.operation
		}
	}
	switch {
	case strings.HasPrefix(name, "API_") && !strings.Contains(name, " "):
		return reference + strings.TrimPrefix(name, "API_") + ".html"
	case slices.Contains(operations, name):
		return reference + name + ".html"
	case name != "" && !strings.Contains(name, " "):
		return guide + name + ".html"
	case slices.Contains(operations, operation):
		return reference + operation + ".html"
	}
	return ""
}

// Cases reads all cases.
func Cases() ([]Case, error) {
	var all []Case
	err := fs.WalkDir(files, "cases", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		cases, err := parse(path.Base(name), string(text))
		all = append(all, cases...)
		return err
	})
	return all, err
}

// parse reads one file.
func parse(file, text string) (cases []Case, err error) {
	var setup []step
	var why []string
	var about string // what the file begins with
	var current *Case
	var continued *string
	steps := func() *[]step {
		if current == nil {
			return &setup
		}
		return &current.steps
	}
	for i, line := range strings.Split(text, "\n") {
		bad := func(what string) error { return fmt.Errorf("%s:%d: %s", file, i+1, what) }
		kind, rest := byte(0), ""
		if line != "" {
			kind, rest = line[0], strings.TrimSpace(line[1:])
		}
		switch kind {
		case 0:
			if current == nil && len(setup) == 0 && len(cases) == 0 && about == "" {
				about = strings.Join(why, " ")
			}
			why, continued = nil, nil
		case '#':
			why = append(why, rest)
		case '=':
			reason := strings.Join(why, " ")
			if reason == "" {
				reason = about
			}
			cases = append(cases, Case{Name: strings.TrimSuffix(file, ".txt") + ": " + rest, Why: reason,
				Place: file + ":" + strconv.Itoa(i+1), steps: append([]step(nil), setup...), setup: len(setup)})
			current, why = &cases[len(cases)-1], nil
		case '>':
			if current == nil && len(setup) == 0 {
				about, why = strings.Join(why, " "), nil
			}
			operation, request, _ := strings.Cut(rest, " ")
			*steps() = append(*steps(), step{line: i + 1, operation: operation, request: request})
			continued = &(*steps())[len(*steps())-1].request
		case '^':
			if len(*steps()) == 0 {
				return nil, bad("a header without a request")
			}
			s := &(*steps())[len(*steps())-1]
			s.http, continued = append(s.http, rest), nil
		case '<', '~', '!', '@', '$':
			if len(*steps()) == 0 {
				return nil, bad("an answer without a request")
			}
			s := &(*steps())[len(*steps())-1]
			s.expect = append(s.expect, expectation{line: i + 1, kind: kind, text: rest})
			continued = &s.expect[len(s.expect)-1].text
		case ' ', '\t':
			if continued == nil {
				return nil, bad("a line that continues nothing")
			}
			*continued += " " + rest
		default:
			return nil, bad("unknown kind of line")
		}
	}
	return cases, nil
}
