package iam_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/engine/internal/iam"
)

const account = "123456789012"

var fill = strings.NewReplacer("{acct}", account, "{table}", "arn:aws:dynamodb:eu-west-1:"+account+":table/Books")

// TestDecisions runs testdata/decisions.txt, which says how it is written.
func TestDecisions(t *testing.T) {
	text, err := os.ReadFile("testdata/decisions.txt")
	if err != nil {
		t.Fatal(err)
	}
	var p *iam.Policy
	asked := 0
	for n, line := range strings.Split(string(text), "\n") {
		if line == "" {
			continue
		}
		rest := fill.Replace(strings.TrimSpace(line[1:]))
		switch line[0] {
		case '#', '=':
		case 'i', 'r':
			kind := map[byte]iam.Kind{'i': iam.Identity, 'r': iam.Resource}[line[0]]
			if p, err = iam.Parse([]byte(`{"Version":"2012-10-17","Statement":[`+rest+`]}`), kind); err != nil {
				t.Fatalf("line %d: %v", n+1, err)
			}
		case '?':
			asked++
			question, want, _ := strings.Cut(rest, " : ")
			words := strings.Fields(question)
			r := &iam.Request{Caller: iam.Caller{ARN: words[0], Account: account}, Action: words[1], Resource: words[2], Context: map[string][]string{}}
			if !strings.HasPrefix(words[0], "arn:") {
				r.Caller.ARN = "arn:aws:iam::" + account + ":user/" + words[0]
			}
			for _, w := range words[3:] {
				key, value, _ := strings.Cut(w, "=")
				r.Context[key] = append(r.Context[key], value)
			}
			if got := map[iam.Decision]string{iam.Silent: "silent", iam.Allowed: "allowed", iam.Denied: "denied"}[p.Decide(r)]; got != want {
				t.Errorf("line %d: %s: %s", n+1, line, got)
			}
		default:
			t.Fatalf("line %d: %s", n+1, line)
		}
	}
	if asked < 60 {
		t.Errorf("only %d questions", asked)
	}
}

// TestOldVersion: before 2012 a variable was text, and a policy without a version is of that time.
func TestOldVersion(t *testing.T) {
	for version, want := range map[string]iam.Decision{`"Version":"2008-10-17",`: iam.Allowed, "": iam.Allowed, `"Version":"2012-10-17",`: iam.Silent} {
		p, err := iam.Parse([]byte(`{`+version+`"Id":"x","Statement":{"Sid":"1","Effect":"Allow","Action":"*","Resource":"*","Condition":{"StringEquals":{"k":"${k2}"}}}}`), iam.Identity)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Decide(&iam.Request{Action: "a:b", Resource: "*", Context: map[string][]string{"k": {"${k2}"}, "k2": {"x"}}}); got != want {
			t.Errorf("%s: %d", version, got)
		}
	}
}

// TestNumbers: numbers of any size stand in conditions as they are written.
func TestNumbers(t *testing.T) {
	p, err := iam.Parse([]byte(`{"Statement":{"Effect":"Allow","Action":"*","Resource":"*","Condition":{"StringEquals":{"k":[1e999,0.10]}}}}`), iam.Identity)
	if err != nil {
		t.Fatal(err)
	}
	for value, want := range map[string]iam.Decision{"1e999": iam.Allowed, "0.10": iam.Allowed, "0.1": iam.Silent} {
		if got := p.Decide(&iam.Request{Action: "a:b", Resource: "*", Context: map[string][]string{"k": {value}}}); got != want {
			t.Errorf("%s: %d", value, got)
		}
	}
}

// TestMistakes: what cannot be meant is refused, not passed over.
func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		`{`:                                 "unexpected EOF",
		`{"Version":"2012-10-17"}`:          "there is no Statement",
		`{"Version":"2020-01-01"}`:          `the Version is 2012-10-17, not "2020-01-01"`,
		`{"Statement":[{"Effect":"deny"}]}`: `statement 1: the Effect is Allow or Deny, not "deny"`,
		`{"Statement":[{"Efect":"Deny"}]}`:  `unknown field "Efect"`,
		`{"statement":[]}`:                  `the element is Statement, not "statement"`,
		`{"Statement":[{"effect":"Deny"}]}`: `the element is Effect, not "effect"`,
		`{"Statement":[{"Effect":"Deny","Action":"*","action":"a:b","Principal":"*"}]}`:                                                   `the element is Action, not "action"`,
		`{"Statement":[{"Effect":"Deny","Effect":"Allow","Action":"*","Principal":"*"}]}`:                                                 `more than one "Effect"`,
		`{"Statement":[{"Effect":"Deny","Action":"*","Principal":{"AWS":"*","AWS":"123456789012"}}]}`:                                     `more than one "AWS"`,
		`{"Statement":[{"Effect":"Allow","Action":"*","Principal":"*","Condition":{"StringEquals":{"k":"v"},"StringEquals":{"k":"w"}}}]}`: `more than one "StringEquals"`,
		`{"Statement":[{"Effect":"Allow","Action":"*","Principal":"*","Condition":{"StringEquals":{"k":["v"],"k":"w"}}}]}`:                `more than one "k"`,
		`{"Statement":[],"Statement":[]}`:                                                                                               `more than one "Statement"`,
		`{"Statement":[]} {}`:                                                                                                           "more than one JSON value",
		`{"Statement":{"Effect":"Allow"}}`:                                                                                              "a resource policy names a Principal",
		`{"Statement":{"Effect":"Allow","Principal":"alice","Action":"*"}}`:                                                             `a Principal is "*" or {"AWS": …}`,
		`{"Statement":{"Effect":"Allow","Principal":{"AWS":"alice"},"Action":"*"}}`:                                                     `not "alice"`,
		`{"Statement":{"Effect":"Allow","Principal":{"Aws":"*"},"Action":"*"}}`:                                                         `not "Aws"`,
		`{"Statement":{"Effect":"Allow","Principal":"*","NotPrincipal":"*","Action":"*"}}`:                                              "either Principal or NotPrincipal",
		`{"Statement":{"Effect":"Allow","Principal":"*"}}`:                                                                              "either Action or NotAction",
		`{"Statement":{"Effect":"Allow","Principal":"*","Action":"GetItem"}}`:                                                           `not "GetItem"`,
		`{"Statement":{"Effect":"Allow","Principal":"*","Action":"*","Resource":"Books"}}`:                                              `a resource is an ARN or *, not "Books"`,
		`{"Statement":{"Effect":"Deny","Principal":"*","Action":"*","Resource":"arn:aws:dynamodb:*"}}`:                                  `an ARN has six parts, as in arn:aws:dynamodb:*:*:table/*, not "arn:aws:dynamodb:*"`,
		`{"Statement":{"Effect":"Deny","Principal":"*","Action":"*","NotResource":["*","arn:aws:dynamodb:*:*"]}}`:                       "an ARN has six parts",
		`{"Version":"2012-10-17","Statement":{"Effect":"Deny","Principal":"*","Action":"*","Resource":"arn:aws:dynamodb:${a:b:c}:x"}}`:  "an ARN has six parts",
		`{"Statement":{"Effect":"Allow","Principal":"*","Action":"*","Resource":"*","NotResource":"*"}}`:                                "either Resource or NotResource",
		`{"Statement":{"Effect":"Allow","Principal":"*","Action":"*","Condition":{"StringEqual":{"k":"v"}}}}`:                           `there is no condition operator "StringEqual"`,
		`{"Statement":{"Effect":"Allow","Principal":"*","Action":"*","Condition":{"StringEquals":{"k":{}}}}}`:                           "the value of a condition",
		`{"Statement":{"Effect":"Allow","Principal":"*","Action":"*","Condition":{"Null":{"k":"yes"}}}}`:                                "Null takes true or false",
		`{"Statement":{"Effect":"Allow","Principal":"*","Action":"*","Condition":{"ForAllValues:ForAnyValue:StringLike":{"k":"yes"}}}}`: "there is no condition operator",
	} {
		if _, err := iam.Parse([]byte(text), iam.Resource); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	for text, want := range map[string]string{
		`{"Statement":{"Effect":"Allow","Principal":"*","Action":"*","Resource":"*"}}`: "names no Principal",
		`{"Statement":{"Effect":"Allow","Action":"*"}}`:                                "either Resource or NotResource",
	} {
		if _, err := iam.Parse([]byte(text), iam.Identity); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// FuzzParse: no text makes reading or deciding fail otherwise than with an error.
func FuzzParse(f *testing.F) {
	text, err := os.ReadFile("testdata/decisions.txt")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line[0] == 'i' || line[0] == 'r' {
			f.Add(`{"Version":"2012-10-17","Statement":[`+fill.Replace(line[1:])+`]}`, "alice-notes*?")
		}
	}
	f.Fuzz(func(t *testing.T, text, value string) {
		for _, kind := range []iam.Kind{iam.Identity, iam.Resource} {
			p, err := iam.Parse([]byte(text), kind)
			if err != nil {
				continue
			}
			p.Decide(&iam.Request{Caller: iam.Caller{ARN: value, Account: account}, Action: value, Resource: value,
				Context: map[string][]string{"k": {value}, "aws:username": {value}, "dynamodb:leadingkeys": {value, "x"}}})
		}
	})
}

func ExamplePolicy_Decide() {
	p, err := iam.Parse([]byte(`{"Version": "2012-10-17", "Statement": {
		"Effect": "Allow", "Action": "dynamodb:Get*", "Resource": "*",
		"Condition": {"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": "${aws:username}"}}}}`), iam.Identity)
	if err != nil {
		panic(err)
	}
	for _, key := range []string{"alice", "bob"} {
		fmt.Println(p.Decide(&iam.Request{Action: "dynamodb:GetItem", Resource: "arn:aws:dynamodb:eu-west-1:123456789012:table/Notes",
			Context: map[string][]string{"aws:username": {"alice"}, "dynamodb:leadingkeys": {key}}}) == iam.Allowed)
	}
	// Output:
	// true
	// false
}
